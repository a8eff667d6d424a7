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
import { useChooser } from './use-chooser.ts'

export interface ChooserProps {
  readonly bluetooth: WebBluetooth
  readonly onChosen: (glasses: ChosenGlasses) => void
}

/** A chooser for each arm of an Even G1, with a button of its own: the browser opens one only for a press. */
export function ChooseArms({ bluetooth, onChosen }: ChooserProps) {
  const [first, setFirst] = useState<WebPeripheral>()
  const { choose, isClosed } = useChooser()
  return (
    <Card
      title="Even G1: choose both arms"
      description="The arms of your glasses are two Bluetooth devices, and the browser asks for each. Take the glasses out of the case, open them, and close the app of their maker: an arm has one connection at a time."
    >
      <ol className={styles.steps}>
        <li>
          <p>
            The list shows names like Even G1_12_L_4A3B2C: the number belongs to your pair, L is the left arm
            and R the right one. Choose either arm.
          </p>
          <Button onPress={() => void choose(chooseArm(bluetooth), setFirst)}>Choose the first arm</Button>
        </li>
        <li>
          {first !== undefined && (
            <p role="status">
              {first.name} is chosen. The list now shows only the other arm of this pair; once it is chosen,
              the glasses are connected.
            </p>
          )}
          <Button
            variant={first === undefined ? 'secondary' : 'primary'}
            isDisabled={first === undefined}
            onPress={() =>
              first && void choose(chooseOtherArm(bluetooth, first), (arms) => onChosen(chosenG1(arms)))
            }
          >
            Choose the other arm
          </Button>
        </li>
      </ol>
      {isClosed && (
        <PairingHelp title="No arm was chosen" kind="even-g1">
          If your glasses were not listed, this may help:
        </PairingHelp>
      )}
    </Card>
  )
}
