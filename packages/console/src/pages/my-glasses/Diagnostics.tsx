import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import type { WornG1 } from '../../real-glasses/worn-g1.ts'
import { saveFile } from '../../save-file.ts'
import { myGlassesTexts } from './my-glasses.texts.ts'

const texts = myGlassesTexts.diagnostics

/** Saves the log of commands as a file, for a report of the wearer. */
export function Diagnostics({ glasses }: { readonly glasses: WornG1 }) {
  const { diagnostics } = glasses
  function save() {
    const now = new Date().toISOString()
    const lines = [now, texts.browser(navigator.userAgent), glasses.diagnostics]
    saveFile(`even-g1-${now.slice(0, 19).replaceAll(':', '-')}.txt`, lines.join('\n'), 'text/plain')
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
