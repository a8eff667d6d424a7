import type { DeveloperApp } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'
import { developerTexts as texts } from './developer.texts.ts'

const TONES = {
  DEVELOPMENT: 'neutral',
  SUBMITTED: 'warning',
  REJECTED: 'danger',
  PUBLISHED: 'success',
} as const

/** Whether an app is in the store, and whether its server answers. */
export function AppState({ app }: { readonly app: Pick<DeveloperApp, 'appStoreStatus' | 'isServerDown'> }) {
  return (
    <>
      <Badge tone={TONES[app.appStoreStatus]}>{texts.states[app.appStoreStatus]}</Badge>{' '}
      {app.isServerDown && <Badge tone="danger">{texts.serverDown}</Badge>}
    </>
  )
}
