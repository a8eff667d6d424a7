import type { ApiKeys, Authenticator, CredentialUses, PersonalTokens } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { OriginDeps } from '../request-origin.ts'

/** Collaborators of the authentication schemes. */
export interface AuthDeps extends OriginDeps {
  readonly authenticator: Authenticator
  readonly apiKeys: ApiKeys
  /** Records the last use of credentials. */
  readonly credentialUses: Pick<CredentialUses, 'record'>
  readonly personalTokens: Pick<PersonalTokens, 'isPersonalToken' | 'verify'>
  /** Live sessions, by which app sessions authenticate. */
  readonly sessions: Pick<SessionDirectory, 'findBySessionId'>
  /** Packages whose API key may act for any user (`API_KEY_PACKAGES`). */
  readonly actingPackages: readonly string[]
  /** Packages whose API key may read recent audio (`AUDIO_PACKAGE`). */
  readonly audioPackages: readonly string[]
}
