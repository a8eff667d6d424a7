import type { SessionHandle } from '../../session-host/index.ts'
import { bearerToken } from './bearer.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

/** An app, authenticated by its app session id. */
export interface AppSessionCaller {
  readonly kind: 'appSession'
  readonly session: SessionHandle
  /** The app of the session; handlers must not return data of other apps. */
  readonly packageName: string
}

/**
 * The id of a live app session, `<userSessionId>-<packageName>`, as bearer token. The app SDK reads settings with it
 * instead of an API key (app-socket.md §3.1). The user session id is 128 random bits that only the apps of the session
 * receive; an e-mail address in its place, which is not secret, is rejected.
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
    return accepted({ kind: 'appSession', session, packageName })
  },
}
