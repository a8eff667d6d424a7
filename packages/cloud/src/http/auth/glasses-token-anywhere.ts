import type { UserCaller } from './caller.ts'
import { glassesToken } from './glasses-token.ts'
import { bodyText } from './request-parts.ts'
import { type AuthScheme, absent } from './scheme.ts'
import { authenticateToken } from './user-token.ts'

/** Like `glassesToken`, in the header or, for older glasses, as `coreToken` in the body. */
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
