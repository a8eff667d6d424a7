import { chooseGlasses } from '@glasses-cloud/phone/brilliant'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { chosenBrilliant } from '../../real-glasses/chosen-glasses.ts'
import { PairingHelp } from './BluetoothHelp.tsx'
import type { ChooserProps } from './ChooseArms.tsx'
import { useChooser } from './use-chooser.ts'

/** The chooser for a Frame or a Halo, which are one Bluetooth device. */
export function ChooseBrilliant({ bluetooth, onChosen }: ChooserProps) {
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
