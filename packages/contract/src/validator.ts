import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import type * as TypeBoxCompile from 'typebox/compile'

const require = createRequire(import.meta.url)

/** Validates values against a schema. */
export interface SchemaValidator<Schema extends TSchema> {
  Check(value: unknown): value is Static<Schema>
  /** Returns a copy with the schema's defaults filled in. */
  Default(value: unknown): unknown
  /** Lists the violations, outermost first; empty if the value is valid. */
  Errors(value: unknown): ReturnType<TypeBoxCompile.Validator['Errors']>
}

/**
 * Creates a validator for a schema. The schema is compiled, and the compiler loaded, on first use: the compiler is a
 * third of all modules that the cloud would otherwise load at start.
 */
export function createValidator<Schema extends TSchema>(schema: Schema): SchemaValidator<Schema> {
  let compiled: TypeBoxCompile.Validator | undefined
  const validator = () => {
    compiled ??= (require('typebox/compile') as typeof TypeBoxCompile).Compile(
      schema,
    ) as TypeBoxCompile.Validator
    return compiled
  }
  return {
    Check: (value): value is Static<Schema> => validator().Check(value),
    Default: (value) => validator().Default(value),
    Errors: (value) => validator().Errors(value),
  }
}
