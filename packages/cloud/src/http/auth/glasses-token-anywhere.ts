import type { UserCaller } from './caller.ts'
import { glassesToken } from './glasses-token.ts'
import { bodyText } from './request-parts.ts'
import { type AuthScheme, absent } from './scheme.ts'
import { authenticateToken } from './user-token.ts'

/** What `glassesToken` takes, in the header or, as older glasses send it, as `coreToken` in the body. */
export const glassesTokenAnywhere: AuthScheme<UserCaller> = {
  ...glassesToken,
  name: 'glassesTokenAnywhere',
  async authenticateBody(request, deps) {
    const token = bodyText(request, 'coreToken')
    return token === undefined
      ? absent('UNAUTHORIZED')
      : authenticateToken(token, request, deps, ['core', 'glasses'])
  },
}
