import { useState } from 'react'
import { useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Card } from '../../components/Page.tsx'
import { Slider } from '../../components/Slider.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { brightnessSettings } from '../../real-glasses/stored-brightness.ts'
import type { WornG1 } from '../../real-glasses/worn-g1.ts'
import type { WornG1State } from '../../real-glasses/worn-g1-state.ts'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.brightness

/** Where the slider is until a brightness was set, in percent. */
const MIDDLE = 50

export interface BrightnessProps {
  readonly glasses: WornG1
  readonly brightness: WornG1State['brightness']
}

/** The brightness of the lens, which the glasses may adjust by themselves. It is stored for the next connection. */
export function Brightness({ glasses, brightness }: BrightnessProps) {
  const storing = useChangePhoneSettings()
  const [moved, setMoved] = useState<number>()
  const level = moved ?? (typeof brightness === 'number' ? brightness : MIDDLE)
  const set = (value: number | 'auto') => {
    glasses.setBrightness(value)
    storing.mutate(brightnessSettings(value), { onError: reportFailure })
  }
  const isAutomatic = brightness === 'auto'
  const output =
    brightness === undefined
      ? texts.unchanged
      : isAutomatic
        ? texts.automatic
        : myGlassesTexts.status.percent(level)
  return (
    <Card title={texts.title}>
      <Slider
        label={texts.label}
        minValue={0}
        maxValue={100}
        value={level}
        output={output}
        isDisabled={isAutomatic}
        onChange={setMoved}
        onChangeEnd={set}
      />
      <Switch isSelected={isAutomatic} onChange={(isAuto) => set(isAuto ? 'auto' : level)}>
        {texts.auto}
      </Switch>
    </Card>
  )
}
