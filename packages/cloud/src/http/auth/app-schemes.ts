import type { FastifyRequest } from 'fastify'
import type { SessionHandle } from '../../session-host/index.ts'
import { networkOf } from '../request-origin.ts'
import {
  type AppCaller,
  type AuthScheme,
  absent,
  accepted,
  bearer,
  bearerToken,
  bodyText,
  headerText,
  queryText,
  rejected,
  type SchemeDeps,
  type UserCaller,
} from './scheme.ts'

/**
 * An app's API key in `X-API-Key` with its package in `X-Package-Name`; older clients send the key as bearer and
 * the package as `packageName` in query or body (decision I5). The package is required, and the key must belong to it.
 */
export const appKeyHeaders: AuthScheme<AppCaller> = {
  name: 'appKeyHeaders',
  security: [
    {
      apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key of an app' },
      packageNameHeader: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Package-Name',
        description: 'The package of the key',
      },
    },
    { appKeyBearer: bearer('API key of an app, with packageName in query or body') },
  ],
  errors: ['UNAUTHORIZED'],
  async authenticate(request, deps) {
    const key = headerText(request, 'x-api-key') ?? bearerToken(request.headers.authorization)
    if (key === undefined) return absent('UNAUTHORIZED')
    const app = await deps.apiKeys.verify(key, namedInHead(request))
    if (app === undefined) return rejected('UNAUTHORIZED')
    return accepted({ kind: 'app', app }, (parsed) => {
      const named = namedInHead(parsed) ?? bodyText(parsed, 'packageName')
      return named === app.packageName ? undefined : 'UNAUTHORIZED'
    })
  },
}

function namedInHead(request: FastifyRequest): string | undefined {
  return headerText(request, 'x-package-name') ?? queryText(request, 'packageName')
}

/** An app by `Authorization: Bearer <packageName>:<API key>`, as the app SDK's storage has it (app-socket.md §3.1). */
export const appPair: AuthScheme<AppCaller> = {
  name: 'appPair',
  security: [{ appPair: bearer('Package name and API key of an app: <packageName>:<apiKey>') }],
  errors: ['UNAUTHORIZED'],
  async authenticate(request, deps) {
    const token = bearerToken(request.headers.authorization)
    if (token === undefined) return absent('UNAUTHORIZED')
    // Neither package names nor keys contain a colon.
    const [packageName = '', key = '', ...rest] = token.split(':')
    const app = rest.length === 0 ? await deps.apiKeys.verify(key, packageName) : undefined
    return app === undefined ? rejected('UNAUTHORIZED') : accepted({ kind: 'app', app })
  },
}

/** An app, authenticated by its app session id. */
export interface AppSessionCaller {
  readonly kind: 'appSession'
  readonly session: SessionHandle
  /** The app of the session; handlers must not return data of other apps. */
  readonly packageName: string
  /** Id of the API key that was sent as well, if it was needed. */
  readonly keyId: string | undefined
}

/**
 * The id of a live app session, `<userSessionId>-<packageName>`, as bearer token. The app SDK reads settings with it
 * instead of an API key (app-socket.md §3.1). Any app of the user can compute the id of another, so it is accepted only
 * from the host of the app's live socket, or together with an API key of the app in `X-API-Key`.
 */
export const appSession: AuthScheme<AppSessionCaller> = {
  name: 'appSession',
  security: [{ appSessionId: bearer('Id of a live app session') }],
  errors: ['UNAUTHORIZED'],
  async authenticate(request, deps) {
    const token = bearerToken(request.headers.authorization)
    if (token === undefined) return absent('UNAUTHORIZED')
    // Split at the first hyphen: package names may contain hyphens, user session ids do not (decision I8).
    const [, userSessionId, packageName] = /^([^-]+)-(.+)$/.exec(token) ?? []
    if (userSessionId === undefined || packageName === undefined) return rejected('UNAUTHORIZED')
    const session = await deps.sessions.findBySessionId(userSessionId)
    if (session === undefined || !(await session.hasApp(packageName))) return rejected('UNAUTHORIZED')
    const address = await session.appAddress(packageName)
    const isSameHost = address !== undefined && address === networkOf(request.ip)
    const keyId = isSameHost ? undefined : await keyIdOf(request, packageName, deps)
    if (!isSameHost && keyId === undefined) return rejected('UNAUTHORIZED')
    return accepted({ kind: 'appSession', session, packageName, keyId })
  },
}

/** Returns the id of an API key of the app in `X-API-Key`; undefined without a valid one. */
async function keyIdOf(
  request: FastifyRequest,
  packageName: string,
  deps: SchemeDeps,
): Promise<string | undefined> {
  const key = headerText(request, 'x-api-key')
  return key === undefined ? undefined : (await deps.apiKeys.verify(key, packageName))?.keyId
}

const inQuery = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'query', name, description }) as const

/** Returns a key with its package and the e-mail address of a user, all in the query; undefined if one is missing. */
function queryCredentials(request: FastifyRequest) {
  const apiKey = queryText(request, 'apiKey')
  const packageName = queryText(request, 'packageName')
  const userEmail = queryText(request, 'userId')
  if (apiKey === undefined || packageName === undefined || userEmail === undefined) return undefined
  return { apiKey, packageName, userEmail }
}

/**
 * The API key of a package that may act on behalf of users (`API_KEY_PACKAGES`), with the e-mail address of the user, all
 * in the query. The caller is the user.
 */
export const allowedApiKey: AuthScheme<UserCaller> = {
  name: 'allowedApiKey',
  security: [
    {
      apiKeyQuery: inQuery('apiKey', 'API key of a package that may act on behalf of users'),
      packageNameQuery: inQuery('packageName', 'The package of the key'),
      userIdQuery: inQuery('userId', 'E-mail of the user'),
    },
  ],
  errors: ['UNAUTHORIZED', 'UNAUTHORIZED_PACKAGE', 'INVALID_API_KEY', 'USER_NOT_FOUND'],
  async authenticate(request, deps) {
    const credentials = queryCredentials(request)
    if (credentials === undefined) return absent('UNAUTHORIZED')
    const { apiKey, packageName, userEmail } = credentials
    if (!deps.actingPackages.includes(packageName)) return rejected('UNAUTHORIZED_PACKAGE')
    const app = await deps.apiKeys.verify(apiKey, packageName)
    if (app === undefined) return rejected('INVALID_API_KEY')
    const user = await deps.authenticator.findUserByEmail(userEmail)
    return user === undefined
      ? rejected('USER_NOT_FOUND')
      : accepted({ kind: 'user', user, scope: 'core', app })
  },
}

/**
 * The API key of a package that may read recent audio (`AUDIO_PACKAGE`), with the e-mail address of the user, all in the
 * query. The package is checked before the key.
 */
export const audioApiKey: AuthScheme<AppCaller> = {
  name: 'audioApiKey',
  security: [
    {
      audioApiKeyQuery: inQuery('apiKey', 'API key of a package that may read recent audio'),
      audioPackageNameQuery: inQuery('packageName', 'The package of the key'),
      audioUserIdQuery: inQuery('userId', 'E-mail of the user, the same as in the path'),
    },
  ],
  errors: ['AUDIO_CREDENTIALS_REQUIRED', 'AUDIO_UNAUTHORIZED_PACKAGE', 'AUDIO_INVALID_API_KEY'],
  async authenticate(request, deps) {
    const credentials = queryCredentials(request)
    if (credentials === undefined) return absent('AUDIO_CREDENTIALS_REQUIRED')
    const { apiKey, packageName } = credentials
    if (!deps.audioPackages.includes(packageName)) return rejected('AUDIO_UNAUTHORIZED_PACKAGE')
    const app = await deps.apiKeys.verify(apiKey, packageName)
    return app === undefined ? rejected('AUDIO_INVALID_API_KEY') : accepted({ kind: 'app', app })
  },
}
