import { bearerToken } from './bearer.ts'
import type { AppCaller } from './caller.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

/** An app by `Authorization: Bearer <packageName>:<API key>`, as the app SDK's storage has it (app-socket.md §3.1). */
export const appPair: AuthScheme<AppCaller> = {
  name: 'appPair',
  security: [
    {
      appPair: {
        type: 'http',
        scheme: 'bearer',
        description: 'Package name and API key of an app: <packageName>:<apiKey>',
      },
    },
  ],
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
