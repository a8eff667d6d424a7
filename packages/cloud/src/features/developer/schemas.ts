import { SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'

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
