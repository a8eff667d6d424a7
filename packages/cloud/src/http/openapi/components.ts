import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Collects the component schemas of an OpenAPI document: every schema with a title becomes a component with that name.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {}

  /**
   * Returns the schema with its titled parts replaced by references.
   * @throws Error if two different schemas have the same title
   */
  hoist(schema: Schema): Schema {
    const plain = this.#replaceTitled(schema) as Schema
    return typeof plain.title === 'string' ? this.add(plain.title, plain) : plain
  }

  /** Adds a component. @returns a reference to it */
  add(name: string, schema: Schema): Schema {
    const known = this.schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new Error(`Two different schemas have the title ${name}`)
    this.schemas[name] = schema
    return { $ref: `#/components/schemas/${name}` }
  }

  #replaceTitled(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#reference(entry))
    if (typeof value !== 'object' || value === null) return value
    // `Object.entries` omits the symbol keys of the validator.
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === 'properties' ? this.#replaceProperties(part) : this.#reference(part),
      ]),
    )
  }

  /** Handles a map of properties, in which `title` is a property name. */
  #replaceProperties(properties: object): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.#reference(schema)]),
    )
  }

  #reference(value: unknown): unknown {
    const isSchema = typeof value === 'object' && value !== null && 'title' in value
    return isSchema ? this.hoist(value as Schema) : this.#replaceTitled(value)
  }
}
