import type { FastifyRequest } from 'fastify'
import { bearerToken } from './bearer.ts'
import type { AppCaller } from './caller.ts'
import { bodyText, headerText, queryText } from './request-parts.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

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
    {
      appKeyBearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'API key of an app, with packageName in query or body',
      },
    },
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
