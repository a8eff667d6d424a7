import type { OriginDeps } from '../../../http/request-origin.ts'
import type {
  AppTokens,
  Authenticator,
  CredentialUses,
  IdentityProviders,
  LoginStore,
  LoginTokens,
  PersonalTokenStore,
  PersonalTokens,
  Tokens,
  UserStore,
} from '../../../identity/index.ts'
import type { SessionDirectory } from '../../../session-host/index.ts'

export interface TokenEndpointDeps {
  readonly appTokens: AppTokens
  readonly authenticator: Authenticator
  readonly credentialUses: CredentialUses
  /** Epoch ms. */
  readonly now: () => number
  readonly logins: LoginStore
  readonly loginTokens: LoginTokens
  readonly personalTokens: PersonalTokens
  readonly personalTokenStore: PersonalTokenStore
  readonly sessions: SessionDirectory
  /** By which pages of the cloud are recognized. */
  readonly origins: OriginDeps
  readonly identityProviders: IdentityProviders
  readonly tokens: Tokens
  readonly users: UserStore
}
