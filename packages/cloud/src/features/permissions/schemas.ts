import { PACKAGE_NAME_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'

/** Path parameters of an app. An invalid package name is treated like an unknown one. */
export const appParams = Type.Object({ packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) })

/** Organization header that clients send; it has no effect. */
export const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'An organization of the caller. Ignored: members have access without it.' }),
  ),
})
