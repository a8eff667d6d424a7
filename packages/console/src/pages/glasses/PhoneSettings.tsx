import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { phoneSettingsQuery, useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { LevelSlider } from './LevelSlider.tsx'

const DEFAULT_BRIGHTNESS = 50

/** Settings of the phone that apps read. */
export function PhoneSettings() {
  const { data } = useQuery(phoneSettingsQuery)
  const change = useChangePhoneSettings()
  const [brightness, setBrightness] = useState<number>()
  const stored = typeof data?.brightness === 'number' ? data.brightness : DEFAULT_BRIGHTNESS
  return (
    <Card title="Phone settings">
      <LevelSlider
        label="Brightness of the lens"
        value={brightness ?? stored}
        onChange={setBrightness}
        onChangeEnd={(value) => change.mutate({ brightness: value }, { onError: reportFailure })}
      />
    </Card>
  )
}
