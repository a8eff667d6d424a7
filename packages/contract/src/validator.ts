import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import type * as Compiling from 'typebox/compile'

const require = createRequire(import.meta.url)

/** Checks values against a schema. */
export interface SchemaValidator<Schema extends TSchema> {
  Check(value: unknown): value is Static<Schema>
  /** A copy with the schema's defaults filled in. */
  Default(value: unknown): unknown
  /** What is wrong with a value, the outermost first; empty if nothing is. */
  Errors(value: unknown): ReturnType<Compiling.Validator['Errors']>
}

/**
 * Makes the validator of a schema. The schema is compiled, and the compiler loaded, at the first check: the compiler
 * is a third of all modules a starting cloud would otherwise load.
 */
export function createValidator<Schema extends TSchema>(schema: Schema): SchemaValidator<Schema> {
  let compiled: Compiling.Validator | undefined
  const validator = () => {
    compiled ??= (require('typebox/compile') as typeof Compiling).Compile(schema) as Compiling.Validator
    return compiled
  }
  return {
    Check: (value): value is Static<Schema> => validator().Check(value),
    Default: (value) => validator().Default(value),
    Errors: (value) => validator().Errors(value),
  }
}
