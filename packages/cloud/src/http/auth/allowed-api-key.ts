import type { UserCaller } from './caller.ts'
import { queryText } from './request-parts.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

const inQuery = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'query', name, description }) as const

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
    const apiKey = queryText(request, 'apiKey')
    const packageName = queryText(request, 'packageName')
    const userId = queryText(request, 'userId')
    if (apiKey === undefined || packageName === undefined || userId === undefined)
      return absent('UNAUTHORIZED')
    if (!deps.actingPackages.includes(packageName)) return rejected('UNAUTHORIZED_PACKAGE')
    const app = await deps.apiKeys.verify(apiKey, packageName)
    if (app === undefined) return rejected('INVALID_API_KEY')
    const user = await deps.authenticator.findUserByEmail(userId)
    return user === undefined
      ? rejected('USER_NOT_FOUND')
      : accepted({ kind: 'user', user, scope: 'core', app })
  },
}
