import { type TProperties, type TSchema, Type } from 'typebox'

/** A timestamp as clients send it: epoch milliseconds or ISO 8601; some phones truncate it, so it is never trusted. */
export const clientTimestamp = Type.Union([Type.Number(), Type.String()])

/**
 * Declares one message type in its flat form. Fields not named are kept: clients of this ecosystem send extras, a
 * `sessionId` of varying meaning among them, which the authenticated socket makes superfluous (decision W4).
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

/** Declares one message type of the cloud, in its flat form. All of them are stamped with the cloud's time. */
export function defineCloudMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  const timestamp = Type.String({ description: 'ISO 8601' })
  return Type.Object({ type: Type.Literal(type), ...fields, timestamp }, { description })
}

/** A field that may be left out; clients of this ecosystem also write null for what they have not got. */
export function optionalOrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([Type.Null(), schema]))
}

/** Who an app says it is. The authenticated socket knows, so nobody reads it (decision W4). */
export const packageName = Type.Optional(
  Type.String({ description: 'Ignored: the authenticated socket says who speaks.' }),
)
