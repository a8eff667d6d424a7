import type { CurrentUserDeps } from '../../http/auth/index.ts'
import type { AppStore, Catalogue, InstallStore } from '../catalogue/index.ts'
import type { AppLog } from './app-log.ts'
import type { AppLogStore } from './app-log-store.ts'

/** Collaborators of the endpoints of this feature. */
export interface AppLogEndpointDeps extends CurrentUserDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly installs: InstallStore
  readonly appLog: AppLog
  readonly store: AppLogStore
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}
