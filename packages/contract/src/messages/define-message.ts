import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Message } from '../dialect.ts'
import { createValidator, type SchemaValidator } from '../validator.ts'

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

/** Schemas of the messages of one direction, by `type`. */
export type MessageCatalogue = Readonly<Record<string, TSchema>>

/** Any message of a catalogue. */
export type MessageOf<Catalogue extends MessageCatalogue> = {
  [Type in keyof Catalogue]: Static<Catalogue[Type]>
}[keyof Catalogue]

/** Result of checking a message against a catalogue. */
export type CheckedMessage<Catalogue extends MessageCatalogue> =
  | { readonly kind: 'known'; readonly message: MessageOf<Catalogue> }
  | { readonly kind: 'unknown'; readonly message: Message }
  | { readonly kind: 'malformed'; readonly reason: string }

/** Creates a function that validates messages against a catalogue. Each schema is compiled on first use. */
export function createMessageChecker<const Catalogue extends MessageCatalogue>(
  catalogue: Catalogue,
): (message: Message) => CheckedMessage<Catalogue> {
  const compiled = new Map<string, SchemaValidator<TSchema>>()
  return (message) => {
    const { type } = message
    if (!Object.hasOwn(catalogue, type)) return { kind: 'unknown', message }
    let validator = compiled.get(type)
    if (validator === undefined) {
      validator = createValidator(catalogue[type] as TSchema)
      compiled.set(type, validator)
    }
    if (validator.Check(message)) return { kind: 'known', message: message as MessageOf<Catalogue> }
    const [error] = validator.Errors(message)
    const where = error?.instancePath ? ` at ${error.instancePath}` : ''
    return { kind: 'malformed', reason: `${type}${where}: ${error?.message ?? 'does not fit its schema'}` }
  }
}
