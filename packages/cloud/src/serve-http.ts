import type { FastifyInstance } from 'fastify'
import { aboutCloud, openSignUpProblem, plainHttpProblem } from './config/index.ts'
import type { Feature } from './feature.ts'
import type { Features } from './features.ts'
import type { SessionHost } from './host-sessions.ts'
import type { SchemeDeps } from './http/auth/index.ts'
import { allowOrigins } from './http/cors.ts'
import { limitRequests } from './http/limits.ts'
import { mount } from './http/mount.ts'
import { openApiEndpoints } from './http/openapi/index.ts'
import { probes } from './http/probes.ts'
import { openSharedCounts, type SharedCounts } from './http/request-counts.ts'
import type { KnownUsers } from './http/request-limits.ts'
import { basePathOf } from './http/request-origin.ts'
import { getSecurityTxt } from './http/security-txt.ts'
import { createServer } from './http/server.ts'
import type { Infrastructure } from './infrastructure.ts'
import { redisPrefix } from './nodes/index.ts'
import { getAsyncApi } from './sockets/index.ts'
import { authorityEndpoints, isStrict } from './tls/index.ts'

/** The HTTP server with all endpoints, before it listens. */
export interface HttpServing {
  readonly server: FastifyInstance
  readonly authDeps: SchemeDeps
  /** Undefined if this is the only node. */
  readonly sharedCounts: SharedCounts | undefined
}

/** Creates the HTTP server and mounts the endpoints of the kernel and of the features. */
export async function serveHttp(
  infrastructure: Infrastructure,
  host: SessionHost,
  features: Features,
): Promise<HttpServing> {
  const { apiKeys, authenticator, config, credentialUses, db, log, metrics, personalTokens } = infrastructure
  const { publicUrl, readiness, tls } = infrastructure
  const { corsOrigins, metricsToken, trustProxy } = config.http
  const server = createServer({
    log,
    metrics,
    tracing: infrastructure.tracing,
    tls: tls?.options,
    strictTransport: isStrict(config, tls),
    trustProxy,
    ...(config.http.publicUrl && { basePath: basePathOf(config.http.publicUrl) }),
  })
  if (tls) {
    tls.attach(server.server as never)
    readiness.add({ name: 'certificate', run: async () => tls.waiting?.trim() })
    rejectWhileWaiting(server, () => tls.waiting)
  }
  if (trustProxy === true)
    log.warn(
      'TRUST_PROXY=true trusts the X-Forwarded-* headers of every client; set it to the addresses of your proxies',
    )
  warnOfUntrustedProxy(server)
  for (const problem of [...config.warnings, openSignUpProblem(config), plainHttpProblem(config)])
    if (problem !== undefined) log.warn(problem)
  await allowOrigins(server, { origins: corsOrigins, publicUrl })
  const { redis } = config.data
  const sharedCounts = redis && (await openSharedCounts(redis, await redisPrefix(db), log))
  await limitRequests(server, { config, sharedCounts, users: knownUsers(host, features) })
  const authDeps: SchemeDeps = {
    authenticator,
    apiKeys,
    credentialUses,
    personalTokens,
    sessions: host.directory,
    actingPackages: config.apps.apiKeyPackages,
    audioPackages: config.apps.audioPackages,
    publicUrl,
    trustedOrigins: corsOrigins,
  }
  const { version } = aboutCloud(config)
  const endpoints = [
    ...probes({ readiness, metrics, metricsToken }),
    ...openApiEndpoints({ version, publicUrl }),
    getAsyncApi({ version, publicUrl }),
    getSecurityTxt({ security: config.http.security, publicUrl, now: infrastructure.now }),
    ...authorityEndpoints({
      authority: tls?.authority,
      plainPort: config.tls.mode === 'off' ? 0 : config.tls.redirectPort,
    }),
    ...Object.values<Feature>(features).flatMap((feature) => feature.endpoints ?? []),
  ]
  mount(server, endpoints, authDeps, features.consolePages.sendNotFoundPage)
  return { server, authDeps, sharedCounts }
}

/**
 * Looks at the first request with `X-Forwarded-For`: if it comes from a proxy that is not trusted, all clients of the proxy
 * have its address, share its limits, and pass for one host (PXY-26).
 */
function warnOfUntrustedProxy(server: FastifyInstance): void {
  let isKnown = false
  server.addHook('onRequest', async (request) => {
    if (isKnown || request.headers['x-forwarded-for'] === undefined) return
    isKnown = true
    if ((request.ips?.length ?? 1) === 1)
      request.log.warn(
        'A proxy that is not in TRUST_PROXY sent a request with X-Forwarded-For, so all its clients count as one; set TRUST_PROXY to the addresses of your proxies',
      )
  })
}

/** Paths for operators and orchestrators, which do not check the certificate. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** Responds to requests over a connection whose certificate no client trusts, where nobody should enter a password. */
function rejectWhileWaiting(server: FastifyInstance, waiting: () => string | undefined): void {
  server.addHook('onRequest', async (request, reply) => {
    const reason = waiting()
    if (reason === undefined || PROBES.has(request.url)) return
    return reply
      .code(503)
      .headers({ 'retry-after': '30', 'content-type': 'text/plain; charset=utf-8' })
      .send(reason)
  })
}

/** The users by whom requests are limited, as far as this node knows them. */
function knownUsers({ sessions }: SessionHost, { video }: Features): KnownUsers {
  return {
    ofSession: (userSessionId) => sessions.byUserSessionId(userSessionId)?.user.email,
    ofStream: (streamId) => {
      const userId = video.streams.localUserOf(streamId)
      return userId === undefined ? undefined : sessions.hostedFor([userId])[0]?.user.email
    },
  }
}
