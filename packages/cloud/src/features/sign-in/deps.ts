import type { Authenticator, IdentityProviders, Tokens, UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the endpoints of this feature. */
export interface SignInEndpointDeps {
  readonly authenticator: Authenticator
  /** Epoch ms. */
  readonly now: () => number
  readonly sessions: SessionDirectory
  readonly signIn: IdentityProviders
  readonly tokens: Tokens
  readonly users: UserStore
}
