import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import type { ChosenGlasses } from '../../real-glasses/chosen-glasses.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import { saveFile } from '../../save-file.ts'

export interface DiagnosticsProps {
  readonly glasses: RealGlasses
  /** The glasses of the log. */
  readonly chosen: ChosenGlasses | undefined
}

/** Saves the log of commands as a file, for a report of the wearer. */
export function Diagnostics({ glasses, chosen }: DiagnosticsProps) {
  const { diagnostics } = glasses
  function save() {
    const now = new Date().toISOString()
    const lines = [now, `browser: ${navigator.userAgent}`, glasses.diagnostics]
    const name = `${chosen?.kind ?? 'glasses'}-${now.slice(0, 19).replaceAll(':', '-')}.txt`
    saveFile(name, lines.join('\n'), 'text/plain')
  }
  return (
    <Card
      title="Diagnostics"
      description="A file for whoever runs this cloud, when something does not work. It has the time, the kind and the length of what this page and the glasses sent each other, the firmware and the name of this browser. It has no words, no sound, no pictures, and neither your name nor serial numbers."
    >
      <div>
        <Button isDisabled={diagnostics === undefined} onPress={save}>
          Save the diagnostics
        </Button>
      </div>
      {diagnostics === undefined && <p className="muted">Connect the glasses once to have some.</p>}
    </Card>
  )
}
