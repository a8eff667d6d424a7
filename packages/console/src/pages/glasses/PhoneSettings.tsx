import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { phoneSettingsQuery, useChangePhoneSettings } from '../../api/phone-settings.ts'
import { Card } from '../../components/Page.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import { deviceTexts } from './device.texts.ts'
import { LevelSlider } from './LevelSlider.tsx'

const texts = deviceTexts.settings

const DEFAULT_BRIGHTNESS = 50

/** Settings of the phone that apps read. */
export function PhoneSettings() {
  const { data } = useQuery(phoneSettingsQuery)
  const change = useChangePhoneSettings()
  const [brightness, setBrightness] = useState<number>()
  const stored = typeof data?.brightness === 'number' ? data.brightness : DEFAULT_BRIGHTNESS
  return (
    <Card title={texts.title}>
      <LevelSlider
        label={texts.brightness}
        value={brightness ?? stored}
        onChange={setBrightness}
        onChangeEnd={(value) => change.mutate({ brightness: value }, { onError: reportFailure })}
      />
    </Card>
  )
}
