import {
  chooseArm,
  chooseOtherArm,
  type G1Arms,
  nameOfPair,
  rememberedArms,
  type WebBluetooth,
  type WebPeripheral,
} from '@glasses-cloud/phone/even-g1'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { isClosedChooser, webBluetooth } from '../../real-glasses/bluetooth.ts'
import type { WornG1 } from '../../real-glasses/worn-g1.ts'
import type { WornG1State } from '../../real-glasses/worn-g1-state.ts'
import { ObstacleNotice, PairingHelp } from './BluetoothHelp.tsx'
import styles from './my-glasses.module.css'
import { myGlassesTexts } from './my-glasses.texts.ts'
import { useBluetoothObstacle } from './use-bluetooth-obstacle.ts'

const texts = myGlassesTexts.choose

export interface ChooseArmsProps {
  readonly glasses: WornG1
  readonly state: Pick<WornG1State, 'arms' | 'isPairingSuspect'>
}

/** The way to connected glasses: a chooser for each arm, and pairs that were chosen before. */
export function ChooseArms({ glasses, state: { arms, isPairingSuspect } }: ChooseArmsProps) {
  const bluetooth = webBluetooth()
  const obstacle = useBluetoothObstacle()
  const { data: remembered = [] } = useQuery({
    queryKey: ['bluetooth', 'remembered'],
    queryFn: () => (bluetooth ? rememberedArms(bluetooth) : []),
    gcTime: 0,
  })
  const known = arms === undefined ? remembered : [arms]
  return (
    <>
      {obstacle && <ObstacleNotice obstacle={obstacle} />}
      {isPairingSuspect && (
        <PairingHelp title={texts.pairingFailed.title}>{texts.pairingFailed.text}</PairingHelp>
      )}
      {bluetooth && known.length > 0 && (
        <Card title={texts.known} description={texts.knownExplained}>
          <div className={styles.row}>
            {known.map((pair) => (
              <Button key={pair.left.name} variant="primary" onPress={() => void glasses.putOn(pair)}>
                {texts.putOn(nameOfPair(pair))}
              </Button>
            ))}
          </div>
        </Card>
      )}
      {bluetooth && (
        <Choosers
          key={String(known.length > 0)}
          bluetooth={bluetooth}
          isSecondary={known.length > 0}
          onChosen={(pair) => void glasses.putOn(pair)}
        />
      )}
    </>
  )
}

interface ChoosersProps {
  readonly bluetooth: WebBluetooth
  /** Whether a pair was chosen before. */
  readonly isSecondary: boolean
  readonly onChosen: (arms: G1Arms) => void
}

/** A button for each chooser: the browser opens one only for a press. */
function Choosers({ bluetooth, isSecondary, onChosen }: ChoosersProps) {
  const [first, setFirst] = useState<WebPeripheral>()
  const [isClosed, setClosed] = useState(false)
  const choose = async <Chosen,>(chosen: Promise<Chosen>, use: (chosen: Chosen) => void) => {
    setClosed(false)
    try {
      use(await chosen)
    } catch (error) {
      if (isClosedChooser(error)) setClosed(true)
      else reportFailure(error)
    }
  }
  return (
    <Card title={isSecondary ? texts.again : texts.title} description={texts.description}>
      <ol className={styles.steps}>
        <li>
          <p>{texts.firstExplained}</p>
          <Button
            variant={first === undefined && !isSecondary ? 'primary' : 'secondary'}
            onPress={() => void choose(chooseArm(bluetooth), setFirst)}
          >
            {texts.first}
          </Button>
        </li>
        <li>
          {first !== undefined && <p role="status">{texts.secondExplained(first.name)}</p>}
          <Button
            variant={first === undefined ? 'secondary' : 'primary'}
            isDisabled={first === undefined}
            onPress={() => first && void choose(chooseOtherArm(bluetooth, first), onChosen)}
          >
            {texts.second}
          </Button>
        </li>
      </ol>
      {isClosed && <PairingHelp title={texts.closed.title}>{texts.closed.text}</PairingHelp>}
    </Card>
  )
}
