import type { FastifyRequest } from 'fastify'
import type { SessionHandle } from '../../session-host/index.ts'
import { networkOf } from '../client-address.ts'
import { bearerToken } from './bearer.ts'
import type { AuthDeps } from './deps.ts'
import { headerText } from './request-parts.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

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
  security: [
    {
      appSessionId: { type: 'http', scheme: 'bearer', description: 'Id of a live app session' },
    },
  ],
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
  deps: AuthDeps,
): Promise<string | undefined> {
  const key = headerText(request, 'x-api-key')
  return key === undefined ? undefined : (await deps.apiKeys.verify(key, packageName))?.keyId
}
