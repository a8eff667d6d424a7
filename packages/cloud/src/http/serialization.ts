import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Serializes responses with only the fields that their schema declares (HTTP-20), as Fastify does by default. Compiles a
 * serializer at its first use, which keeps the start fast.
 */
export function serializerCompiler({ schema }: { readonly schema?: unknown }): (response: unknown) => string {
  let serialize: ((response: unknown) => string) | undefined
  return (response) => {
    serialize ??= compileSerializer(schema)
    return serialize(response)
  }
}

function compileSerializer(schema: unknown): (response: unknown) => string {
  const build: typeof import('fast-json-stringify').default = require('fast-json-stringify')
  return build(schema as Parameters<typeof build>[0])
}
