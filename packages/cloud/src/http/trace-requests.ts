import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../tracing/index.ts'
import { routeOf } from './request-log.ts'

/** Requests of programs that ask all the time, and responses that last as long as a page is open. */
const UNTRACED = /^(?:\/healthz|\/readyz|\/metrics|.*\/(?:stream|events))$/

/**
 * Records a span for each request, in which its handler runs. A `traceparent` of the client is ignored: anybody could
 * make the cloud record, and mix what others see.
 */
export function traceRequests(server: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _, done) => {
    const route = routeOf(request)
    if (UNTRACED.test(route)) return done()
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const span = tracing.start('http.request', { kind: 'server', parent: undefined, attributes })
    spans.set(request, span)
    tracing.within(span.context, done)
  })
  // The body arrives outside of it.
  server.addHook('preValidation', (request, _, done) => tracing.within(spans.get(request)?.context, done))
  server.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    span?.end(statusCode >= 500 ? String(statusCode) : undefined)
  })
}
