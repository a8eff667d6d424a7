import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Message } from '../dialect.ts'
import { anyForm, anyPart } from '../tolerant-reader.ts'
import { createValidator, type SchemaValidator } from '../validator.ts'

/** Timestamp from a client: epoch milliseconds or ISO 8601. Never trusted, because some phones truncate it. */
export const clientTimestamp = Type.Union([Type.Number(), Type.String()])

/**
 * Defines a message type from an app, in its flat form. Additional fields are allowed: existing clients send some,
 * such as a `sessionId` of varying meaning, which is ignored because the socket is authenticated (decision W4). Values are
 * read in other forms too (PHN-65).
 */
export function defineAppMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
  tolerance: object = anyForm,
) {
  return Type.Object(
    { type: Type.Literal(type), ...fields, timestamp: Type.Optional(clientTimestamp) },
    { description, ...tolerance },
  )
}

/** Defines a message type from glasses, like {@link defineAppMessage}; fields that cannot be read are left out (PHN-66). */
export function defineGlassesMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  return defineAppMessage(type, description, fields, anyPart)
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

/**
 * Creates a function that validates messages against a catalogue. Each schema is compiled on first use.
 * @param forms `any`: a message in another form that its schema allows is changed in place; `described`: it is malformed
 */
export function createMessageChecker<const Catalogue extends MessageCatalogue>(
  catalogue: Catalogue,
  forms: 'any' | 'described' = 'any',
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
    const isValid = forms === 'any' ? validator.Read(message) !== undefined : validator.Check(message)
    if (isValid) return { kind: 'known', message: message as MessageOf<Catalogue> }
    const [error] = validator.Errors(message)
    const where = error?.instancePath ? ` at ${error.instancePath}` : ''
    return { kind: 'malformed', reason: `${type}${where}: ${error?.message ?? 'does not fit its schema'}` }
  }
}
