import { nestsDeeperThan } from '@glasses-cloud/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fault } from './fault.ts'

/** How deep a JSON body may nest: no endpoint needs more, and what looks into it must not run out of stack. */
const MAX_DEPTH = 64

/**
 * Reads bodies: JSON where an endpoint has a body. Where it has none, whatever comes is read (within the size
 * limit) and no harm: clients of this ecosystem send `Content-Type: application/json` with nothing behind it.
 */
export function addBodyParsers(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  const parseVerbatim = server.getDefaultJsonParser('ignore', 'ignore')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Older apps name their package in the body of endpoints that have none; so it is parsed all the same.
    const parse = request.routeOptions.config.endpoint?.verbatimKeys ? parseVerbatim : parseJson
    parse(request, String(body), (error, value) => {
      if (!hasBody(request)) return error === null ? done(null, value) : done(null, undefined)
      if (error === null && nestsDeeperThan(value, MAX_DEPTH)) return done(tooDeep())
      done(error, value)
    })
  })
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 || !hasBody(request)) done(null, undefined)
    else done(fault('UNSUPPORTED_MEDIA_TYPE'))
  })
}

const tooDeep = () => fault('BAD_REQUEST', { message: `The body nests deeper than ${MAX_DEPTH} levels` })

function hasBody(request: FastifyRequest): boolean {
  return request.routeOptions.schema?.body !== undefined
}
