import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Writes answers with the fields that their schema declares and no others (HTTP-20), as Fastify does by itself, but
 * makes a schema's writer when the first such answer is written: start-up pays for none.
 */
export function serializerCompiler({ schema }: { readonly schema?: unknown }): (answer: unknown) => string {
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= writerOf(schema)
    return write(answer)
  }
}

function writerOf(schema: unknown): (answer: unknown) => string {
  const build: typeof import('fast-json-stringify').default = require('fast-json-stringify')
  return build(schema as Parameters<typeof build>[0])
}
