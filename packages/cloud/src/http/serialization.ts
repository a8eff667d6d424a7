import { createRequire } from 'node:module'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

const require = createRequire(import.meta.url)

/**
 * Writes answers with the fields that their schema declares and no others (HTTP-20), as Fastify does by itself, but
 * makes a schema's writer when the first such answer is written: start-up pays for none.
 */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= writerOf(schema)
    return write(answer)
  }
}

function writerOf(schema: TSchema): (answer: unknown) => string {
  const build: typeof import('fast-json-stringify').default = require('fast-json-stringify')
  return build(schema)
}
