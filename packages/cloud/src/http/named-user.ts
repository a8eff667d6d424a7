import type { Static, TObject } from 'typebox'
import type { AppCaller } from './auth/caller.ts'

/** How a request names a user: by e-mail address, or by an app session or a managed stream of theirs. */
export type UserNameKind = 'email' | 'appSession' | 'stream'

/** The schemas of path and query. */
interface Target {
  readonly params?: TObject
  readonly querystring?: TObject
}

type FieldOf<Part> = Part extends TObject ? keyof Static<Part> & string : never

/**
 * Where a request of an app names the user whom it is about, by whom it is counted (LIM-40): a field of the path or the
 * query, since requests are counted before their body is read. `none`: nowhere there.
 */
export type NamedUser<Schema extends Target = Target> =
  | 'none'
  | { readonly in: 'params'; readonly field: FieldOf<Schema['params']>; readonly as: UserNameKind }
  | { readonly in: 'query'; readonly field: FieldOf<Schema['querystring']>; readonly as: UserNameKind }

/** Requires endpoints that accept API keys of apps to declare where a request names a user. */
export type NamesUser<Schema extends Target, Caller> = AppCaller extends Caller
  ? { readonly namedUser: NamedUser<Schema> }
  : { readonly namedUser?: never }
