import { PACKAGE_NAME_PATTERN, SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { type TSchema, Type } from 'typebox'

export const tags = ['developer']

/** `{ success: true, data }`. */
export const dataResponse = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data })

export const successResponse = Type.Object({ success: Type.Literal(true) })

/** Path parameter of an app. An invalid package name is treated like an unknown one. */
export const packageParam = { packageName: Type.String({ pattern: PACKAGE_NAME_PATTERN }) }

export const appParams = Type.Object(packageParam)

/** Id or slug of an organization in a query or a body. */
export const organizationId = Type.String({ pattern: SHORT_LINE_PATTERN })

/** Organization header of clients; effective for members only (decision I7). */
export const organizationHeader = Type.Object({
  'x-org-id': Type.Optional(
    Type.String({ description: 'Default for orgId; ignored unless you are a member of the organization' }),
  ),
})

/** Body of requests that create or change an app; its fields are validated one by one. */
export const manifestBody = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The manifest of the app, or the fields to change. See docs/apps.md.',
})
