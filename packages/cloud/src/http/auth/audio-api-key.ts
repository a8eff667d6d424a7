import type { AppCaller } from './caller.ts'
import { queryText } from './request-parts.ts'
import { type AuthScheme, absent, accepted, rejected } from './scheme.ts'

const inQuery = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'query', name, description }) as const

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
    const apiKey = queryText(request, 'apiKey')
    const packageName = queryText(request, 'packageName')
    if (apiKey === undefined || packageName === undefined || queryText(request, 'userId') === undefined)
      return absent('AUDIO_CREDENTIALS_REQUIRED')
    if (!deps.audioPackages.includes(packageName)) return rejected('AUDIO_UNAUTHORIZED_PACKAGE')
    const app = await deps.apiKeys.verify(apiKey, packageName)
    return app === undefined ? rejected('AUDIO_INVALID_API_KEY') : accepted({ kind: 'app', app })
  },
}
