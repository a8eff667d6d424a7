import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Response headers that web pages of other origins may read, besides those that browsers always expose. */
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
]

/** Seconds for which browsers may remember the answer to a preflight request; Chromium's maximum. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200

export interface CorsOptions {
  /** Origins of other sites whose pages may send requests with credentials (`CORS_ORIGINS`). */
  readonly origins: readonly string[]
  /** Base URL of the cloud, whose origin is allowed too. */
  readonly publicUrl: () => URL
}

/** Options of an endpoint that every origin may read, since its response depends on no credentials (HTTP-53). */
export const ANY_ORIGIN = { origin: '*', credentials: false } as const

/**
 * Answers preflight requests and adds CORS headers for the allowed origins (decision W6). Applies to endpoints that are
 * mounted after this has resolved. Preflight requests are answered before authentication and are not counted, since
 * browsers send them without credentials.
 */
export async function allowOrigins(
  server: FastifyInstance,
  { origins, publicUrl }: CorsOptions,
): Promise<void> {
  const allowed = new Set(origins)
  await server.register(cors, {
    origin: (origin, callback) => {
      const isAllowed = origin !== undefined && (allowed.has(origin) || origin === publicUrl().origin)
      callback(null, isAllowed && origin)
    },
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // An OPTIONS request that is not a preflight request is then answered without a body.
    strictPreflight: false,
  })
}
