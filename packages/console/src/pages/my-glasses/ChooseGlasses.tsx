import { chooseGlasses } from '@glasses-cloud/phone/brilliant'
import {
  chooseArm,
  chooseOtherArm,
  type WebBluetooth,
  type WebPeripheral,
} from '@glasses-cloud/phone/even-g1'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { isClosedChooser, webBluetooth } from '../../real-glasses/bluetooth.ts'
import {
  type ChosenGlasses,
  chosenBrilliant,
  chosenG1,
  rememberedChoices,
} from '../../real-glasses/chosen-glasses.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import { ObstacleNotice, PairingHelp, useBluetoothObstacle } from './BluetoothHelp.tsx'
import styles from './my-glasses.module.css'

export interface ChooseGlassesProps {
  readonly glasses: RealGlasses
  readonly state: Pick<RealGlassesState, 'chosen' | 'isPairingSuspect'>
}

/** The way to connected glasses: the choosers of each kind, and glasses that were chosen before. */
export function ChooseGlasses({ glasses, state: { chosen, isPairingSuspect } }: ChooseGlassesProps) {
  const bluetooth = webBluetooth()
  const obstacle = useBluetoothObstacle()
  const known = useKnownGlasses(bluetooth, chosen)
  const putOn = (choice: ChosenGlasses) => void glasses.putOn(choice)
  return (
    <>
      {obstacle && <ObstacleNotice obstacle={obstacle} />}
      {isPairingSuspect && chosen && (
        <PairingHelp title="The glasses were not reached" kind={chosen.kind}>
          This may help:
        </PairingHelp>
      )}
      {bluetooth && known.length > 0 && (
        <Card
          title="Chosen before"
          description="These glasses were chosen, and no list is needed. Connecting takes some seconds."
        >
          <div className={styles.row}>
            {known.map((each) => (
              <Button key={each.name} variant="primary" onPress={() => putOn(each)}>
                Connect {each.name}
              </Button>
            ))}
          </div>
        </Card>
      )}
      {bluetooth && (
        <>
          <ChooseArms key={String(known.length > 0)} bluetooth={bluetooth} onChosen={putOn} />
          <ChooseBrilliant bluetooth={bluetooth} onChosen={putOn} />
        </>
      )}
    </>
  )
}

/** The glasses that were worn on this page; until there are some, those that the browser remembers. */
function useKnownGlasses(
  bluetooth: WebBluetooth | undefined,
  chosen: ChosenGlasses | undefined,
): readonly ChosenGlasses[] {
  const { data: remembered = [] } = useQuery({
    queryKey: ['bluetooth', 'remembered'],
    queryFn: () => (bluetooth ? rememberedChoices(bluetooth) : []),
    gcTime: 0,
  })
  return chosen === undefined ? remembered : [chosen]
}

/** The chooser for a Frame or a Halo, which are one Bluetooth device. */
function ChooseBrilliant({ bluetooth, onChosen }: ChooserProps) {
  const { choose, isClosed } = useChooser()
  return (
    <Card
      title="Brilliant Frame or Halo"
      description="Take the glasses off their charger and hold them near. The list shows names like Frame 4F. If the system asks whether to pair, accept."
    >
      <div>
        <Button
          onPress={() =>
            void choose(chooseGlasses(bluetooth), (peripheral) => onChosen(chosenBrilliant(peripheral)))
          }
        >
          Choose a Frame or Halo
        </Button>
      </div>
      {isClosed && (
        <PairingHelp title="No glasses were chosen" kind="brilliant">
          If your glasses were not listed, this may help:
        </PairingHelp>
      )}
    </Card>
  )
}

interface ChooserProps {
  readonly bluetooth: WebBluetooth
  readonly onChosen: (glasses: ChosenGlasses) => void
}

/** A chooser for each arm of an Even G1, with a button of its own: the browser opens one only for a press. */
function ChooseArms({ bluetooth, onChosen }: ChooserProps) {
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

/** Runs choosers of the browser, and remembers whether the last one was closed without a choice. */
function useChooser() {
  const [isClosed, setClosed] = useState(false)
  async function choose<Chosen>(chosen: Promise<Chosen>, use: (chosen: Chosen) => void): Promise<void> {
    setClosed(false)
    try {
      use(await chosen)
    } catch (error) {
      if (isClosedChooser(error)) setClosed(true)
      else reportFailure(error)
    }
  }
  return { choose, isClosed }
}
