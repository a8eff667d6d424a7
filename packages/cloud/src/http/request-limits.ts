import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Config } from '../config/index.ts'
import { readEmailInUrl } from '../identity/index.ts'
import { type AppCaller, paramText, queryText, type UserCaller } from './auth/scheme.ts'
import { addressKey } from './request-origin.ts'

/** A page of the console sends up to seven requests, and glasses that are worn in the browser send some of their own. */
const REQUESTS_OF_BROWSER = 6

/**
 * What a phone reports by itself has a limit of its own, so that a walk with navigation and a chatty group cost no request
 * that its user waits for. The window is short, so that reports are accepted again soon.
 */
const REPORTS = { times: 3, windowMs: 10_000 }

/** A limit that a request counts against. */
export interface RequestLimit {
  /** Identifies who is counted. */
  readonly key: string
  /** Requests in the window. */
  readonly max: number
  /** Default: a minute. */
  readonly windowMs?: number
}

/** Finds the users of sessions and streams without I/O; undefined for those of other nodes. */
export interface KnownUsers {
  /** @returns the e-mail address */
  ofSession(userSessionId: string): string | undefined
  /** @returns the e-mail address */
  ofStream(streamId: string): string | undefined
}

/** What the limiter reads of the callers of all authentication schemes. */
interface Caller {
  readonly hasCookie?: boolean | undefined
  readonly user?: Pick<UserCaller['user'], 'id' | 'email'>
  readonly app?: AppCaller['app']
  readonly session?: { readonly userSessionId: string }
  readonly packageName?: string
}

/**
 * Returns the limits that a request counts against, in the order in which they are checked (decision L1). A user or an
 * address has one, the browsers of a user have another, and so have the reports of a user's phones; a request of an app
 * counts for the app as a whole, and for the user it names or otherwise for the app itself. The limit of the app as a whole
 * comes first: once it is reached, no further users are counted, however many the app invents.
 */
export function limitsOfRequest(
  request: FastifyRequest,
  config: Pick<Config, 'limits'>,
  users: KnownUsers,
): RequestLimit[] {
  const { requestsPerMinute, appRequestsPerMinute } = config.limits
  const own = ownLimit(request)
  const separate = (key: string, max = requestsPerMinute): RequestLimit =>
    own === undefined ? { key, max } : { key: `${request.routeOptions.url} ${key}`, max: own(config) }
  const { user, hasCookie, app, session, packageName = app?.packageName } = callerOf(request)
  if (user !== undefined && request.routeOptions.config.endpoint?.limits?.isReport === true) {
    const { times, windowMs } = REPORTS
    return [{ key: `reports:user:${user.id}`, max: requestsPerMinute * times, windowMs }]
  }
  if (user !== undefined && hasCookie)
    return [separate(`browser:${user.id}`, requestsPerMinute * REQUESTS_OF_BROWSER)]
  if (packageName === undefined)
    return [separate(user === undefined ? addressKey(request.ip) : `user:${user.id}`)]
  const name =
    user !== undefined
      ? user.email
      : session !== undefined
        ? nameOf('session', session.userSessionId, users.ofSession)
        : namedBy(request, packageName, users)
  const key = `app:${packageName}`
  const limit = separate(name === undefined ? `${key} itself` : `${key} user:${digest(name)}`)
  return appRequestsPerMinute === 0 ? [limit] : [{ key, max: appRequestsPerMinute }, limit]
}

/** Returns the limit of an endpoint that is counted separately. */
function ownLimit({ routeOptions }: FastifyRequest) {
  const perMinute = routeOptions.config.endpoint?.limits?.perMinute
  return typeof perMinute === 'function' ? perMinute : undefined
}

function callerOf({ auth }: FastifyRequest): Caller {
  return auth?.ok ? (auth.caller as Caller) : {}
}

/** Returns what identifies the user that a request of an app names; undefined if it names none. */
function namedBy(request: FastifyRequest, packageName: string, users: KnownUsers): string | undefined {
  const named: NamedUser = request.routeOptions.config.endpoint?.namedUser ?? 'none'
  if (named === 'none') return undefined
  const text = named.in === 'params' ? paramText(request, named.field) : queryText(request, named.field)
  if (text === undefined) return undefined
  switch (named.as) {
    case 'email':
      return readEmailInUrl(text)
    case 'stream':
      return nameOf('stream', text, users.ofStream)
    case 'appSession': {
      // User session ids contain no hyphens (decision I8). The session of another app is not the app's to read.
      const [userSessionId = ''] = text.split('-', 1)
      const isOwn = text.slice(userSessionId.length + 1) === packageName
      return isOwn ? nameOf('session', userSessionId, users.ofSession) : undefined
    }
  }
}

/** Returns the e-mail address, so that all names of a user count together, or the id where the user is not known. */
function nameOf(kind: string, id: string, find: (id: string) => string | undefined): string {
  return find(id) ?? `${kind} ${id}`
}

/** Shortens names of any length, and keeps addresses out of Redis. */
function digest(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}

/** How a request names a user: by e-mail address, or by an app session or a managed stream of theirs. */
type UserNameKind = 'email' | 'appSession' | 'stream'

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
