import { chooseGlasses } from '@glasses-cloud/phone/brilliant'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { chosenBrilliant } from '../../real-glasses/chosen-glasses.ts'
import { PairingHelp } from './BluetoothHelp.tsx'
import type { ChooserProps } from './ChooseArms.tsx'
import { myGlassesTexts } from './my-glasses.texts.ts'
import { useChooser } from './use-chooser.ts'

const { chooseBrilliant: texts, closed } = myGlassesTexts

/** The chooser for a Frame or a Halo, which are one Bluetooth device. */
export function ChooseBrilliant({ bluetooth, onChosen }: ChooserProps) {
  const { choose, isClosed } = useChooser()
  return (
    <Card title={texts.title} description={texts.description}>
      <div>
        <Button
          onPress={() =>
            void choose(chooseGlasses(bluetooth), (peripheral) => onChosen(chosenBrilliant(peripheral)))
          }
        >
          {texts.action}
        </Button>
      </div>
      {isClosed && (
        <PairingHelp title={closed.title.brilliant} kind="brilliant">
          {closed.text}
        </PairingHelp>
      )}
    </Card>
  )
}
