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
}

/** An app, authenticated by its API key. */
export interface AppCaller {
  readonly kind: 'app'
  readonly app: { readonly id: string; readonly packageName: string }
}
