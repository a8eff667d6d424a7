import { dataStreams, type MessageCatalogue } from '@glasses-cloud/contract'
import type { Components, Schema } from '../../http/openapi/index.ts'

/** The sender and receiver of a catalogue's messages; the first part of their names in the document. */
export type Direction = 'fromGlasses' | 'toGlasses' | 'fromApp' | 'toApp'

/**
 * Describes the messages of a catalogue by their names in the document (`fromGlasses.button_press`). The fields of a
 * type are one component, which both forms of the message reference (rule DIA-1).
 */
export function messagesOf(
  direction: Direction,
  catalogue: MessageCatalogue,
  components: Components,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([type, schema]) => {
      const name = `${direction}.${type}`
      const reference = components.add(name, components.hoist(withoutType(schema as Schema)))
      return [
        name,
        {
          name: type,
          title: type,
          summary: summaryOf(schema as Schema),
          payload: formsOf(type, reference),
          ...(type === 'data_stream' ? { 'x-streams': streamsOf(components) } : {}),
        },
      ]
    }),
  )
}

/** Returns the schema of `data` by stream. */
function streamsOf(components: Components): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries<unknown>(dataStreams).map(([name, schema]) => [
      name,
      components.add(`stream.${name}`, components.hoist(schema as Schema)),
    ]),
  )
}

/** Returns the flat and the enveloped form of a message (decision W1). */
function formsOf(type: string, fields: Schema): Schema {
  const named = { type: 'object', required: ['type'], properties: { type: { const: type } } }
  return {
    anyOf: [
      { title: 'Flat', allOf: [named, fields] },
      {
        title: 'Envelope',
        type: 'object',
        required: ['type', 'data'],
        properties: { type: { const: type }, data: fields },
      },
    ],
  }
}

function summaryOf({ description, allOf }: Schema): unknown {
  return description ?? (Array.isArray(allOf) ? summaryOf(allOf[0]) : undefined)
}

/** Returns the schema of a message without its `type` and its description. */
function withoutType({ description: _, ...schema }: Schema): Schema {
  if (Array.isArray(schema.allOf))
    return { allOf: schema.allOf.map((part: Schema) => (isMessage(part) ? withoutType(part) : part)) }
  const { type: _name, ...properties } = (schema.properties ?? {}) as Schema
  const required = (schema.required as readonly string[]).filter((name) => name !== 'type')
  return { ...schema, properties, required }
}

const isMessage = ({ properties }: Schema) => Object.hasOwn(Object(properties), 'type')

/** Describes the binary frames of a direction, which have no type and no dialect. */
export function audioMessage(direction: Direction, description: string): Record<string, Schema> {
  return {
    [`${direction}.audio`]: {
      name: 'audio',
      title: 'Audio (a binary frame)',
      summary: description,
      contentType: 'application/octet-stream',
      payload: { type: 'string', format: 'binary' },
    },
  }
}
