import { type TProperties, type TSchema, Type } from 'typebox'

/** Timestamp from a client: epoch milliseconds or ISO 8601. Never trusted, because some phones truncate it. */
export const clientTimestamp = Type.Union([Type.Number(), Type.String()])

/**
 * Defines a message type from a client, in its flat form. Additional fields are allowed: existing clients send some,
 * such as a `sessionId` of varying meaning, which is ignored because the socket is authenticated (decision W4).
 */
export function defineClientMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  return Type.Object(
    { type: Type.Literal(type), ...fields, timestamp: Type.Optional(clientTimestamp) },
    { description },
  )
}

/** Defines a message type from the cloud, in its flat form, with the `timestamp` that all of them carry. */
export function defineCloudMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  const timestamp = Type.String({ description: 'ISO 8601' })
  return Type.Object({ type: Type.Literal(type), ...fields, timestamp }, { description })
}

/** Defines an optional field that may also be null, which existing clients send for missing values. */
export function optionalOrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([Type.Null(), schema]))
}

/** Package name that an app sends. Ignored, because the socket is authenticated (decision W4). */
export const packageName = Type.Optional(Type.String({ description: 'Ignored: the socket is authenticated' }))
