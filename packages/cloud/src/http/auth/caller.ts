import type { TokenScope, User } from '../../identity/index.ts'

/** Nobody in particular. */
export interface AnonymousCaller {
  readonly kind: 'anonymous'
}

/** A user, or a trusted package acting for one. */
export interface UserCaller {
  readonly kind: 'user'
  readonly user: User
  /** What the token opens; `core` where an API key spoke for the user. */
  readonly scope: TokenScope
}

/** An app, by its API key. */
export interface AppCaller {
  readonly kind: 'app'
  readonly app: { readonly id: string; readonly packageName: string }
}
