import type { FastifyRequest } from 'fastify'

/** Returns a non-empty query parameter that is present once. The query is not validated yet. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.query, name)
}

/** Returns a non-empty path parameter. The path is not validated yet. */
export function paramText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.params, name)
}

/** Returns a non-empty string field of a JSON body. The body is not validated yet. */
export function bodyText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.body, name)
}

/** Returns a non-empty header that is present once. */
export function headerText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.headers, name)
}

function textIn(part: unknown, name: string): string | undefined {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
  const value = (part as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Returns the token of an `Authorization: Bearer …` header. The strings `null` and `undefined`, which clients without a
 * token send by mistake, count as absent.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return token === 'null' || token === 'undefined' ? undefined : token
}
