import type { UserStore } from '../../identity/index.ts'
import type { Deletions } from './deletion/index.ts'
import type { Exports } from './exports/index.ts'
import type { PrivacyStore } from './privacy-store.ts'

/** Collaborators of the endpoints of this feature. */
export interface AccountEndpointDeps {
  readonly deletions: Deletions
  readonly exports: Exports
  /** Epoch ms. */
  readonly now: () => number
  readonly privacy: PrivacyStore
  readonly users: UserStore
}
