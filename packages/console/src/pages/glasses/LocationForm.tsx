import { ActionForm } from '../../components/ActionForm.tsx'
import { Card } from '../../components/Page.tsx'
import { TextField } from '../../components/TextField.tsx'
import { reportSuccess } from '../../components/Toasts.tsx'
import type { Simulator } from '../../simulator/simulator.ts'
import styles from './panels.module.css'

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
