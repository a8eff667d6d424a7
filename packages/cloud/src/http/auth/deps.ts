import type { ApiKeys, Authenticator } from '../../identity/index.ts'
import type { AppAddresses, SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the authentication schemes. */
export interface AuthDeps {
  readonly authenticator: Authenticator
  readonly apiKeys: ApiKeys
  /** Live sessions, by which app sessions authenticate. */
  readonly sessions: Pick<SessionDirectory, 'findBySessionId'>
  /** Addresses of live app sockets, to which app session ids are bound. */
  readonly appAddresses: Pick<AppAddresses, 'find'>
  /** Packages whose API key may act for any user (`API_KEY_PACKAGES`). */
  readonly actingPackages: readonly string[]
  /** Packages whose API key may read recent audio (`AUDIO_PACKAGE`). */
  readonly audioPackages: readonly string[]
}
