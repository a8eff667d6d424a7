import { type Dialect, encode, type Message, type MessageCatalogue } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { abyss, odd, type Shape, text } from './arbitrary-requests.ts'

/** A frame as an odd client might send it: text, or bytes. */
export type OddFrame = string | Uint8Array

/** The fields of a schema, those of its parts included. */
function shapesOf(schema: Shape & { readonly allOf?: readonly Shape[] }): Readonly<Record<string, Shape>> {
  return Object.assign({}, schema.properties, ...(schema.allOf ?? []).map(shapesOf))
}

/** A good example with some fields missing, some odd, and some that nobody asked for. */
function nearlyRight(message: Message, schema: Shape): fc.Arbitrary<Message> {
  const { type, ...fields } = message
  const shapes = Object.entries(shapesOf(schema)).filter(([name]) => name !== 'type')
  const changes = fc.record(Object.fromEntries(shapes.map(([name, shape]) => [name, odd(shape)])), {
    requiredKeys: [],
  })
  const more = fc.dictionary(fc.oneof(text, fc.constantFrom('sessionId', 'packageName', 'data')), text, {
    maxKeys: 2,
  })
  return fc
    .tuple(fc.boolean(), changes, fc.option(more, { nil: {} }))
    .map(([whole, changed, extra]) => ({ ...(whole ? fields : {}), ...changed, ...extra, type }))
}

const noMessage = fc.oneof(
  text,
  abyss,
  fc.json(),
  fc.constantFrom('{"type":"__proto__"}', '{"type":"constructor","data":{}}', '{"type":"x","data":[]}'),
  text.map((type) => JSON.stringify({ type })),
  fc.jsonValue().map((data) => JSON.stringify({ type: 'button_press', data })),
)

/**
 * Frames at a socket: nearly right ones of every type, in either form, ones that are no messages at all, and bytes.
 * @param examples a good message of each type
 */
export function arbitraryFrames(
  catalogue: MessageCatalogue,
  examples: readonly Message[],
  dialect: Dialect,
): fc.Arbitrary<OddFrame> {
  const messages = examples.map((message) => nearlyRight(message, catalogue[message.type] as Shape))
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...messages).map((message) => encode(message, dialect)) },
    { weight: 1, arbitrary: fc.oneof(...messages).map((message) => encode(message, 'both')) },
    { weight: 2, arbitrary: noMessage },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
  )
}
