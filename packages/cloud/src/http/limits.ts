import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { fault } from './fault.ts'
import type { SharedCounts } from './request-counts.ts'
import { RequestCounts } from './request-counts.ts'
import { type KnownUsers, limitsOfRequest, type RequestLimit } from './request-limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request without a route; null on a server without limits. */
    limitUnrouted: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | null
  }
  interface FastifyRequest {
    /** The limit that is being counted; null before the first. */
    limit: RequestLimit | null
  }
}

/** Length of the window in which requests are counted, unless their limit has another. */
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

/** Counts a request on this node only. */
function countAlone(
  counts: RequestCounts,
  { key, max, windowMs = WINDOW_MS }: RequestLimit,
): Promise<Counted> {
  return new Promise((resolve) =>
    counts.incr(
      key,
      (_, { current, ttl }) =>
        resolve({
          max,
          remaining: Math.max(0, max - current),
          ttlInSeconds: Math.ceil(ttl / 1000),
          isExceeded: current > max,
        }),
      windowMs,
    ),
  )
}

interface LimitOptions {
  readonly config: Pick<Config, 'limits'>
  readonly users: KnownUsers
  /** Shared counts of several nodes; undefined: this process counts alone. */
  readonly sharedCounts?: SharedCounts | undefined
}

/** The state of a limit once a request is counted. */
interface Counted {
  readonly max: number
  readonly remaining: number
  readonly ttlInSeconds: number
  readonly isExceeded: boolean
}

/**
 * Limits the rate of requests (decision L1) and adds `RateLimit-*` headers to all responses. Applies to endpoints that
 * are mounted after this has resolved. Runs after authentication, but before rejections and before the body is read.
 */
export async function limitRequests(
  server: FastifyInstance,
  { config, users, sharedCounts }: LimitOptions,
): Promise<void> {
  const options: RateLimitPluginOptions = {
    global: false,
    max: (request) => request.limit?.max ?? 0,
    timeWindow: (request) => request.limit?.windowMs ?? WINDOW_MS,
    keyGenerator: (request) => request.limit?.key ?? '',
    ...(sharedCounts
      ? {
          redis: sharedCounts.redis,
          nameSpace: `${sharedCounts.prefix}requests:`,
          // If Redis is not available, this node counts alone.
          skipOnError: true,
        }
      : { store: LocalCounts }),
  }
  await server.register(rateLimit, options)
  server.decorateRequest('limit', null)
  const count = server.createRateLimit()
  const ownCounts = new RequestCounts(MAX_CALLERS)

  /** Counts the request against its current limit. @returns undefined if it was not counted */
  const countShared = async (request: FastifyRequest): Promise<Counted | undefined> => {
    const counted = await count(request)
    return counted.isAllowed || counted.remaining === counted.max ? undefined : counted
  }

  /** Counts the request against its limits, until one is exceeded. @returns the tightest */
  const tightestOf = async (request: FastifyRequest): Promise<Counted | undefined> => {
    let tightest: Counted | undefined
    let isShared = true
    for (const limit of limitsOfRequest(request, config, users)) {
      request.limit = limit
      let counted: Counted | undefined = isShared ? await countShared(request) : undefined
      // Without Redis nothing was counted, and the other limits must not wait for it again.
      isShared = counted !== undefined
      counted ??= await countAlone(ownCounts, limit)
      if (tightest === undefined || counted.isExceeded || counted.remaining <= tightest.remaining)
        tightest = counted
      if (counted.isExceeded) return counted
    }
    return tightest
  }
  const limitRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limits = request.routeOptions.config.endpoint?.limits
    const isCounted = request.limit !== null || limits?.isCounted?.(request)
    if (isCounted || limits?.perMinute === 'unlimited') return
    const tightest = await tightestOf(request)
    if (tightest === undefined) return
    const { max, remaining, ttlInSeconds, isExceeded } = tightest
    reply.headers({
      'ratelimit-limit': max,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': ttlInSeconds,
    })
    if (!isExceeded) return
    reply.header('retry-after', ttlInSeconds)
    throw fault('RATE_LIMITED')
  }
  server.addHook('onRoute', (route) => {
    route.onRequest = [route.onRequest ?? [], limitRequest].flat()
  })
  server.limitUnrouted = limitRequest
}
