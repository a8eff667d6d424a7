import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import type { ChosenGlasses } from '../../real-glasses/chosen-glasses.ts'
import type { RealGlasses } from '../../real-glasses/real-glasses.ts'
import { saveFile } from '../../save-file.ts'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.diagnostics

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
    const lines = [now, texts.browser(navigator.userAgent), glasses.diagnostics]
    const name = `${chosen?.kind ?? 'glasses'}-${now.slice(0, 19).replaceAll(':', '-')}.txt`
    saveFile(name, lines.join('\n'), 'text/plain')
  }
  return (
    <Card title={texts.title} description={texts.description}>
      <div>
        <Button isDisabled={diagnostics === undefined} onPress={save}>
          {texts.save}
        </Button>
      </div>
      {diagnostics === undefined && <p className="muted">{texts.none}</p>}
    </Card>
  )
}
