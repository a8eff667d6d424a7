import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:-]{1,64}$/

/** Returns the `X-Request-Id` of the request if it is safe to log, otherwise a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const header = request.headers['x-request-id']
  return typeof header === 'string' && REQUEST_ID_PATTERN.test(header) ? header : randomUUID()
}
