import type { TokenScope, User } from '../../identity/index.ts'

/** An unauthenticated caller. */
export interface AnonymousCaller {
  readonly kind: 'anonymous'
}

/** A user, or a package that acts on behalf of a user. */
export interface UserCaller {
  readonly kind: 'user'
  readonly user: User
  /** Scope of the token; `core` for API keys. */
  readonly scope: TokenScope
  /** The login that the credential belongs to; undefined for tokens without one, personal tokens and API keys. */
  readonly loginId?: string | undefined
  /** Epoch ms from which the token is rejected; undefined for other credentials, whose end is stored. */
  readonly tokenExpiresAt?: number | undefined
  /** The personal token that authenticated the caller. */
  readonly personalTokenId?: string | undefined
  /** The app that acts for the user with its API key. */
  readonly app?: AppCaller['app'] | undefined
}

/** An app, authenticated by its API key. */
export interface AppCaller {
  readonly kind: 'app'
  readonly app: { readonly id: string; readonly packageName: string; readonly keyId: string }
}
