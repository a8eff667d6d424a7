import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { fault } from './fault.ts'
import { limitKey } from './limit-key.ts'
import { RequestCounts } from './request-counts.ts'
import type { SharedCounts } from './shared-counts.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request without a route; null on a server without limits. */
    limitUnrouted: ((request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) | null
  }
}

/** Length of the window in which requests are counted. */
const WINDOW_MS = 60_000

/**
 * Number of callers that are counted per process. Beyond it the least recently seen callers are evicted, which bounds
 * the memory to about ten megabytes.
 */
const MAX_CALLERS = 50_000

/** The constructor that the plugin calls. */
class LocalCounts extends RequestCounts {
  constructor() {
    super(MAX_CALLERS)
  }
}

export interface LimitOptions {
  readonly config: Config
  /** Shared counts of several nodes; undefined: this process counts alone. */
  readonly sharedCounts?: SharedCounts | undefined
}

/**
 * Limits the rate of requests (decision L1) and adds `RateLimit-*` headers to all responses. Applies to endpoints that
 * are mounted after this has resolved. Runs after authentication, but before rejections and before the body is read.
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
    ...(sharedCounts
      ? {
          redis: sharedCounts.redis,
          nameSpace: `${sharedCounts.prefix}requests:`,
          // If Redis is not available, requests are served without a limit.
          skipOnError: true,
        }
      : { store: LocalCounts }),
  }
  await server.register(rateLimit, options)
  const limit = server.rateLimit()
  server.limitUnrouted = async (request, reply) => limit.call(server, request, reply)
}

function limitsOf(request: FastifyRequest) {
  return request.routeOptions.config.endpoint?.limits
}

/** Returns the limit of an endpoint that is counted separately. */
function ownLimit(request: FastifyRequest): ((config: Config) => number) | undefined {
  const perMinute = limitsOf(request)?.perMinute
  return typeof perMinute === 'function' ? perMinute : undefined
}
