import type { DeveloperApp } from '../../api/developer.ts'
import { Badge } from '../../components/Badge.tsx'

const STATES = {
  DEVELOPMENT: 'In development',
  SUBMITTED: 'In review',
  REJECTED: 'Rejected',
  PUBLISHED: 'Published',
} as const

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
      <Badge tone={TONES[app.appStoreStatus]}>{STATES[app.appStoreStatus]}</Badge>{' '}
      {app.isServerDown && <Badge tone="danger">Server not reached</Badge>}
    </>
  )
}
