import type { UserStore } from '../../identity/index.ts'
import type { PrivacyStore } from './privacy-store.ts'

export interface ProfileEndpointDeps {
  readonly users: UserStore
  readonly privacy: PrivacyStore
  /** Epoch ms. */
  readonly now: () => number
}
