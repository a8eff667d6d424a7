import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { ChooseGlasses } from './ChooseGlasses.tsx'
import { Diagnostics } from './Diagnostics.tsx'
import { useRealGlasses } from './use-real-glasses.ts'
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
