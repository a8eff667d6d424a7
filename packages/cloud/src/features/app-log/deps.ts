import type { UserStore } from '../../identity/index.ts'
import type { Clock } from '../../session/index.ts'
import type { AppStore, Catalogue, InstallStore } from '../catalogue/index.ts'
import type { AppLog } from './app-log.ts'
import type { AppLogStore } from './app-log-store.ts'

/** Collaborators of the endpoints of this feature. */
export interface AppLogEndpointDeps {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly installs: InstallStore
  readonly users: UserStore
  readonly appLog: AppLog
  readonly store: AppLogStore
  readonly clock: Clock
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}
