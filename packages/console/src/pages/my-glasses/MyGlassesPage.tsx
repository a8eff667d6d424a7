import { useSyncExternalStore } from 'react'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card, Page } from '../../components/Page.tsx'
import type { ChosenGlasses } from '../../real-glasses/chosen-glasses.ts'
import { RealGlasses } from '../../real-glasses/real-glasses.ts'
import type { RealGlassesState } from '../../real-glasses/real-glasses-state.ts'
import { saveFile } from '../../save-file.ts'
import { ChooseGlasses } from './ChooseGlasses.tsx'
import { WornGlasses } from './WornGlasses.tsx'

const CONNECTION_STATES = {
  disconnected: 'Not connected',
  connecting: 'Connecting…',
  connected: 'Connected',
  reconnecting: 'The cloud is out of reach, reconnecting…',
} as const

/** Real glasses that the signed-in user wears, with this browser as their phone. */
export function MyGlassesPage() {
  const { glasses, state } = useRealGlasses()
  const { connection, problem, wasReplaced } = state
  const isOff = connection === 'disconnected'
  return (
    <Page
      title="My glasses"
      breadcrumb={[{ to: '/glasses', label: 'Glasses' }]}
      badges={
        <>
          <span role="status">
            <Badge tone={connection === 'connected' ? 'success' : 'neutral'}>
              {CONNECTION_STATES[connection]}
            </Badge>
          </span>
          <Badge tone="warning">Experimental</Badge>
        </>
      }
      description="Even Realities G1, Brilliant Frame or Halo, with this browser as their phone. Until now, this was proved against models of the glasses only."
      actions={!isOff && <Button onPress={() => glasses.takeOff()}>Disconnect</Button>}
    >
      {wasReplaced && (
        <Notice tone="warning" title="You put on other glasses">
          They took over your session: a tab, a phone or other glasses that connected after these. Put these
          on again to take it back.
        </Notice>
      )}
      {problem !== undefined && <Notice tone="danger" title={problem} />}
      {isOff ? (
        <ChooseGlasses glasses={glasses} state={state} />
      ) : (
        <WornGlasses glasses={glasses} state={state} />
      )}
      <Diagnostics glasses={glasses} chosen={state.chosen} />
    </Page>
  )
}

/** The glasses of this tab. They stay on while other pages of the console are shown. */
let worn: RealGlasses | undefined

/** Returns the glasses of this tab, and their state. */
function useRealGlasses(): { readonly glasses: RealGlasses; readonly state: RealGlassesState } {
  worn ??= new RealGlasses()
  const state = useSyncExternalStore(worn.subscribe, worn.getState)
  return { glasses: worn, state }
}

interface DiagnosticsProps {
  readonly glasses: RealGlasses
  /** The glasses of the log. */
  readonly chosen: ChosenGlasses | undefined
}

/** Saves the log of commands as a file, for a report of the wearer. */
function Diagnostics({ glasses, chosen }: DiagnosticsProps) {
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
