import type { Static, TSchema } from 'typebox'
import type { Message } from '../dialect.ts'
import { createValidator, type SchemaValidator } from '../validator.ts'

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
