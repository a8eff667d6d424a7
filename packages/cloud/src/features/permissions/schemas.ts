import { Type } from 'typebox'

/** Organization header that clients send; it has no effect. */
export const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'An organization of the caller. Ignored: members have access without it.' }),
  ),
})
