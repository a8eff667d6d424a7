import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { fault } from './fault.ts'
import { limitKey } from './limit-key.ts'
import type { SharedCounts } from './shared-counts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request that no route took; null on a server without limits. */
    limitUnrouted: ((request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) | null
  }
}

/** How long requests are counted before the count begins again, in ms. */
const WINDOW_MS = 60_000

/**
 * How many callers one process remembers. Beyond that, those heard of longest ago count from nothing again, so that
 * a crowd of addresses takes no more than some ten megabytes.
 */
const MAX_CALLERS = 50_000

/** What the limiter works with. */
export interface LimitOptions {
  readonly config: Config
  /** Where several nodes count together; absent, this process counts alone. */
  readonly sharedCounts?: SharedCounts | undefined
}

/**
 * Counts requests and refuses those above the limit (decision L1), with `RateLimit-*` headers on every answer. Endpoints that
 * are mounted after this has resolved are counted: once it is known who calls, before anything is refused or read.
 */
export async function limitRequests(
  server: FastifyInstance,
  { config, sharedCounts }: LimitOptions,
): Promise<void> {
  const options: RateLimitPluginOptions = {
    max: (request) => ownLimit(request)?.(config) ?? config.limits.requestsPerMinute,
    timeWindow: WINDOW_MS,
    allowList: (request) => limitsOf(request)?.perMinute === 'unlimited',
    keyGenerator: (request) => limitKey(request, ownLimit(request) && request.routeOptions.url),
    errorResponseBuilder: () => fault('RATE_LIMITED'),
    enableDraftSpec: true,
    cache: MAX_CALLERS,
    // A limiter that cannot count must not be what takes the cloud down.
    ...(sharedCounts && {
      redis: sharedCounts.redis,
      nameSpace: 'glasses-cloud:requests:',
      skipOnError: true,
    }),
  }
  await server.register(rateLimit, options)
  const limit = server.rateLimit()
  server.limitUnrouted = async (request, reply) => limit.call(server, request, reply)
}

function limitsOf(request: FastifyRequest) {
  return request.routeOptions.config.endpoint?.limits
}

/** The limit of an endpoint that is counted apart from the others. */
function ownLimit(request: FastifyRequest): ((config: Config) => number) | undefined {
  const perMinute = limitsOf(request)?.perMinute
  return typeof perMinute === 'function' ? perMinute : undefined
}
