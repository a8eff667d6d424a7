import { randomId } from '@glasses-cloud/phone/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { phoneSettingsQuery, useChangePhoneSettings } from '../../api/phone-settings.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Card } from '../../components/Page.tsx'
import { LevelSlider } from '../../components/Slider.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './panels.module.css'

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

const COORDINATE = { inputMode: 'decimal', isRequired: true, pattern: '-?\\d{1,3}(\\.\\d+)?' } as const

/** Where the wearer is, without a map. */
export function LocationForm({ simulator }: { readonly simulator: Simulator }) {
  async function move(fields: ReadonlyMap<string, string>) {
    const [lat = 0, lng = 0, accuracy = 0] = ['lat', 'lng', 'accuracy'].map((name) =>
      Number(fields.get(name)),
    )
    const { glasses } = simulator
    glasses.position = { lat, lng, accuracy }
    glasses.reportPosition(lat, lng, { accuracy })
    reportSuccess('The location was reported')
  }
  return (
    <Card title="Location" description="The phone also answers with this location when an app asks.">
      <ActionForm submitLabel="Move there" onSubmit={move}>
        <div className={styles.fields}>
          <TextField name="lat" label="Latitude" defaultValue="48.137154" {...COORDINATE} />
          <TextField name="lng" label="Longitude" defaultValue="11.576124" {...COORDINATE} />
          <TextField name="accuracy" label="Accuracy in meters" defaultValue="5" {...COORDINATE} />
        </div>
      </ActionForm>
    </Card>
  )
}

const HOUR_MS = 3_600_000

/** A calendar event of the phone. */
export function CalendarForm({ simulator }: { readonly simulator: Simulator }) {
  async function send(fields: ReadonlyMap<string, string>) {
    const toIso = (name: string) => new Date(fields.get(name) ?? '').toISOString()
    const event = {
      id: randomId(),
      title: fields.get('title') ?? '',
      startDate: toIso('start'),
      endDate: toIso('end'),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }
    await simulator.glasses.api.sendCalendar([event])
    reportSuccess('The event was sent')
  }
  return (
    <Card title="Calendar">
      <ActionForm submitLabel="Send the event" onSubmit={send}>
        <TextField name="title" label="Event" defaultValue="Tea" isRequired />
        <TextField
          name="start"
          type="datetime-local"
          label="Starts"
          defaultValue={localTime(HOUR_MS)}
          isRequired
        />
        <TextField
          name="end"
          type="datetime-local"
          label="Ends"
          defaultValue={localTime(2 * HOUR_MS)}
          isRequired
        />
      </ActionForm>
    </Card>
  )
}

/** The local time in `inMs`, as fields of the type `datetime-local` expect it. */
function localTime(inMs: number): string {
  const now = new Date()
  return new Date(now.getTime() + inMs - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
