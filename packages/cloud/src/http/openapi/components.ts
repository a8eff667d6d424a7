import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema, or any part of one. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * The parts of an OpenAPI document that are named once and pointed at: every schema with a title becomes a component
 * of that name, so that a reader sees `App` and not thirty lines.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {}

  /**
   * The same schema with its titled parts replaced by references.
   * @throws Error when two different schemas have one title: a reader could not tell them apart
   */
  hoist(schema: Schema): Schema {
    const plain = this.#inside(schema) as Schema
    return typeof plain.title === 'string' ? this.add(plain.title, plain) : plain
  }

  /** Names a schema. @returns the reference to it */
  add(name: string, schema: Schema): Schema {
    const known = this.schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`Two different schemas have the title ${name}`)
    this.schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  #inside(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#reference(entry))
    if (typeof value !== 'object' || value === null) return value
    // Only what JSON shows: the validator's own marks stay behind.
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === 'properties' ? this.#each(part) : this.#reference(part),
      ]),
    )
  }

  /** Properties are a map of schemas, in which `title` is a name like any other. */
  #each(properties: object): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#reference(schema)]),
    )
  }

  #reference(value: unknown): unknown {
    const isSchema = typeof value === 'object' && value !== null && 'title' in value
    return isSchema ? this.hoist(value as Schema) : this.#inside(value)
  }
}
