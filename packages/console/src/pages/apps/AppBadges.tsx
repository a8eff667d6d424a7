import type { App } from '../../api/apps.ts'
import { useRunState } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'

const STATES = { starting: 'Starting', running: 'Running' } as const

export interface AppBadgesProps {
  readonly app: Pick<App, 'packageName' | 'is_running' | 'featured' | 'published'>
  readonly isInstalled: boolean
}

/** The state of an app, in a word each. */
export function AppBadges({ app, isInstalled }: AppBadgesProps) {
  const state = useRunState(app.packageName, app.is_running)
  return (
    <>
      {state !== 'stopped' && <Badge tone="success">{STATES[state]}</Badge>}
      {isInstalled && state === 'stopped' && <Badge>Installed</Badge>}
      {app.featured && <Badge>Featured</Badge>}
      {!app.published && <Badge>Not published</Badge>}
    </>
  )
}
