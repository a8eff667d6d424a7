import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:-]{1,64}$/

/** The id a proxy gave the request in `X-Request-Id`, if it is fit for a log line; else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID_PATTERN.test(given) ? given : randomUUID()
}
