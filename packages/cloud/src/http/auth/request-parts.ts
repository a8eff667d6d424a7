import type { FastifyRequest } from 'fastify'

/** A query parameter given once, and not empty. The query has not been validated yet. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.query, name)
}

/** A text field of a JSON body. The body has not been validated yet. */
export function bodyText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.body, name)
}

/** A header given once, and not empty. */
export function headerText(request: FastifyRequest, name: string): string | undefined {
  return textIn(request.headers, name)
}

function textIn(part: unknown, name: string): string | undefined {
  if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
  const value = (part as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
