import type { App } from '../../api/apps.ts'
import { useRunState } from '../../api/live-session.ts'
import { Badge } from '../../components/Badge.tsx'
import { appTexts as texts } from './texts.ts'

export interface AppBadgesProps {
  readonly app: Pick<App, 'packageName' | 'is_running' | 'featured' | 'published'>
  readonly isInstalled: boolean
}

/** The state of an app, in a word each. */
export function AppBadges({ app, isInstalled }: AppBadgesProps) {
  const state = useRunState(app.packageName, app.is_running)
  return (
    <>
      {state !== 'stopped' && <Badge tone="success">{texts.states[state]}</Badge>}
      {isInstalled && state === 'stopped' && <Badge>{texts.installed}</Badge>}
      {app.featured && <Badge>{texts.featured}</Badge>}
      {!app.published && <Badge>{texts.notPublished}</Badge>}
    </>
  )
}
