import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'

/** Path parameter of one app. What no package can be named cannot be found, so it is no bad request. */
export const appParams = Type.Object({ packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) })

/** Organization context, which clients send along. */
export const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'An organization of the caller. Its members pass without it as well.' }),
  ),
})
