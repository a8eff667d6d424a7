import { ActionForm } from '../../components/ActionForm.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'

const HOUR_MS = 3_600_000

/** A calendar event of the phone. */
export function CalendarForm({ simulator }: { readonly simulator: Simulator }) {
  async function send(fields: ReadonlyMap<string, string>) {
    const toIso = (name: string) => new Date(fields.get(name) ?? '').toISOString()
    const event = {
      id: crypto.randomUUID(),
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
