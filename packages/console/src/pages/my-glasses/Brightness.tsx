import { useState } from 'react'
import { useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Card } from '../../components/Page.tsx'
import { Slider } from '../../components/Slider.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { brightnessSettings } from '../../real-glasses/chosen-glasses.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'

/** Where the slider is until a brightness was set, in percent. */
const MIDDLE = 50

export interface BrightnessProps {
  readonly glasses: RealGlasses
  readonly brightness: RealGlassesState['brightness']
  /** Whether the glasses can adjust it by themselves. */
  readonly adjustsItself: boolean
}

/** The brightness of the lens, which some glasses adjust by themselves. It is stored for the next connection. */
export function Brightness({ glasses, brightness, adjustsItself }: BrightnessProps) {
  const storing = useChangePhoneSettings()
  const [moved, setMoved] = useState<number>()
  const level = moved ?? (typeof brightness === 'number' ? brightness : MIDDLE)
  const set = (value: number | 'auto') => {
    glasses.setBrightness(value)
    storing.mutate(brightnessSettings(value), { onError: reportFailure })
  }
  const isAutomatic = brightness === 'auto'
  const output = brightness === undefined ? 'as set on the glasses' : isAutomatic ? 'automatic' : `${level} %`
  return (
    <Card title="Brightness">
      <Slider
        label="Brightness of the lens"
        minValue={0}
        maxValue={100}
        value={level}
        output={output}
        isDisabled={isAutomatic}
        onChange={setMoved}
        onChangeEnd={set}
      />
      {adjustsItself && (
        <Switch isSelected={isAutomatic} onChange={(isAuto) => set(isAuto ? 'auto' : level)}>
          Let the glasses adjust it
        </Switch>
      )}
    </Card>
  )
}
