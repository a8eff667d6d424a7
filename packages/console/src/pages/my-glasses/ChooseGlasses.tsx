import type { WebBluetooth } from '@glasses-cloud/phone/even-g1'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { webBluetooth } from '../../real-glasses/bluetooth.ts'
import { type ChosenGlasses, rememberedChoices } from '../../real-glasses/chosen-glasses.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import { ObstacleNotice, PairingHelp } from './BluetoothHelp.tsx'
import { ChooseArms } from './ChooseArms.tsx'
import { ChooseBrilliant } from './ChooseBrilliant.tsx'
import styles from './my-glasses.module.css'
import { useBluetoothObstacle } from './use-bluetooth-obstacle.ts'

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
