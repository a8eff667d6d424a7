import * as schema from 'typebox/schema'

type Type = Parameters<typeof schema.Check>[0]

/** Does what a compiled validator does. */
class Interpreter {
  readonly #type: Type

  constructor(type: Type) {
    this.#type = type
  }

  Check(value: unknown): boolean {
    return schema.Check(this.#type, value)
  }
}

const compile = { Compile: (type: Type) => new Interpreter(type) }

/**
 * Replaces `node:module` in browsers. `contract` loads its compiler of validators with it; the policy of the console
 * allows no generated code, so that schemas are interpreted here.
 */
export function createRequire(): (name: string) => unknown {
  return (name) => {
    if (name === 'typebox/schema') return schema
    if (name === 'typebox/compile') return compile
    throw new Error(`${name} is not part of the console`)
  }
}
