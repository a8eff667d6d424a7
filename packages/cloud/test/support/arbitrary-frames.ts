import { type Dialect, encode, type Message, type MessageCatalogue } from '@glasses-cloud/contract'
import fc from 'fast-check'
import { arbitraryValue, deepJson, hostileText, type SchemaShape } from './arbitrary-requests.ts'

/** A generated frame, valid or not: text or binary. */
export type ArbitraryFrame = string | Uint8Array

/** The properties of a schema, including those of `allOf`. */
function propertiesOf(
  schema: SchemaShape & { readonly allOf?: readonly SchemaShape[] },
): Readonly<Record<string, SchemaShape>> {
  return Object.assign({}, schema.properties, ...(schema.allOf ?? []).map(propertiesOf))
}

/** A valid example with some fields removed, some replaced by arbitrary values, and some added. */
function almostValid(message: Message, schema: SchemaShape): fc.Arbitrary<Message> {
  const { type, ...fields } = message
  const shapes = Object.entries(propertiesOf(schema)).filter(([name]) => name !== 'type')
  const changes = fc.record(
    Object.fromEntries(shapes.map(([name, shape]) => [name, arbitraryValue(shape)])),
    {
      requiredKeys: [],
    },
  )
  const added = fc.dictionary(
    fc.oneof(hostileText, fc.constantFrom('sessionId', 'packageName', 'data')),
    hostileText,
    {
      maxKeys: 2,
    },
  )
  return fc
    .tuple(fc.boolean(), changes, fc.option(added, { nil: {} }))
    .map(([whole, changed, extra]) => ({ ...(whole ? fields : {}), ...changed, ...extra, type }))
}

const notMessages = fc.oneof(
  hostileText,
  deepJson,
  fc.json(),
  fc.constantFrom('{"type":"__proto__"}', '{"type":"constructor","data":{}}', '{"type":"x","data":[]}'),
  hostileText.map((type) => JSON.stringify({ type })),
  fc.jsonValue().map((data) => JSON.stringify({ type: 'button_press', data })),
)

/**
 * Frames for a socket: almost valid messages of every type in either form, frames that are not messages, and binary ones.
 * @param examples a valid message of each type
 */
export function arbitraryFrames(
  catalogue: MessageCatalogue,
  examples: readonly Message[],
  dialect: Dialect,
): fc.Arbitrary<ArbitraryFrame> {
  const messages = examples.map((message) => almostValid(message, catalogue[message.type] as SchemaShape))
  return fc.oneof(
    { weight: 12, arbitrary: fc.oneof(...messages).map((message) => encode(message, dialect)) },
    { weight: 1, arbitrary: fc.oneof(...messages).map((message) => encode(message, 'both')) },
    { weight: 2, arbitrary: notMessages },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
  )
}
