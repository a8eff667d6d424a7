import {
  chooseArm,
  chooseOtherArm,
  type WebBluetooth,
  type WebPeripheral,
} from '@glasses-cloud/phone/even-g1'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { type ChosenGlasses, chosenG1 } from '../../real-glasses/chosen-glasses.ts'
import { PairingHelp } from './BluetoothHelp.tsx'
import styles from './my-glasses.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'
import { useChooser } from './use-chooser.ts'

const { choose: texts, closed } = myGlassesTexts

export interface ChooserProps {
  readonly bluetooth: WebBluetooth
  readonly onChosen: (glasses: ChosenGlasses) => void
}

/** A chooser for each arm of an Even G1, with a button of its own: the browser opens one only for a press. */
export function ChooseArms({ bluetooth, onChosen }: ChooserProps) {
  const [first, setFirst] = useState<WebPeripheral>()
  const { choose, isClosed } = useChooser()
  return (
    <Card title={texts.title} description={texts.description}>
      <ol className={styles.steps}>
        <li>
          <p>{texts.firstExplained}</p>
          <Button onPress={() => void choose(chooseArm(bluetooth), setFirst)}>{texts.first}</Button>
        </li>
        <li>
          {first !== undefined && <p role="status">{texts.secondExplained(first.name)}</p>}
          <Button
            variant={first === undefined ? 'secondary' : 'primary'}
            isDisabled={first === undefined}
            onPress={() =>
              first && void choose(chooseOtherArm(bluetooth, first), (arms) => onChosen(chosenG1(arms)))
            }
          >
            {texts.second}
          </Button>
        </li>
      </ol>
      {isClosed && (
        <PairingHelp title={closed.title['even-g1']} kind="even-g1">
          {closed.text}
        </PairingHelp>
      )}
    </Card>
  )
}
