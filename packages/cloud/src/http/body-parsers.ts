import { hasTooManyKeys, MAX_JSON_KEYS, nestsDeeperThan } from '@glasses-cloud/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fault } from './fault.ts'
import { JSON_NULL } from './validation.ts'

/** Maximum nesting of JSON bodies, so that recursive code cannot exhaust the stack. */
const MAX_DEPTH = 64

/**
 * Adds parsers of JSON bodies. For endpoints without a body, any body within the size limit is read and ignored: clients
 * of this ecosystem send `Content-Type: application/json` with an empty body.
 */
export function addBodyParsers(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  const parseVerbatim = server.getDefaultJsonParser('ignore', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = String(body)
    if (hasTooManyKeys(text)) return hasBody(request) ? done(tooManyKeys()) : done(null, undefined)
    // Older apps send `packageName` in the body of endpoints that have none, so parse it anyway.
    const parse = request.routeOptions.config.endpoint?.verbatimKeys ? parseVerbatim : parseJson
    parse(request, text, (error, value) => {
      if (!hasBody(request)) return error === null ? done(null, value) : done(null, undefined)
      if (error === null && nestsDeeperThan(value, MAX_DEPTH)) return done(tooDeep())
      done(error, value === null ? JSON_NULL : value)
    })
  })
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 || !hasBody(request)) done(null, undefined)
    else done(fault('UNSUPPORTED_MEDIA_TYPE'))
  })
}

const tooDeep = () => fault('BAD_REQUEST', { message: `The body is nested deeper than ${MAX_DEPTH} levels` })

const tooManyKeys = () =>
  fault('PAYLOAD_TOO_LARGE', { message: `The body has more than ${MAX_JSON_KEYS} different keys` })

function hasBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined
}
