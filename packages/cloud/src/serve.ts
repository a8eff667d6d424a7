import type { FastifyInstance } from 'fastify'
import { aboutCloud } from './config/index.ts'
import { databaseCheck, removeOldChanges } from './db/index.ts'
import type { Feature } from './feature.ts'
import type { AuthDeps } from './http/auth/index.ts'
import { createAddressReader } from './http/client-address.ts'
import { limitRequests } from './http/limits.ts'
import { drain, listen, urlOf } from './http/listening.ts'
import { mount } from './http/mount.ts'
import { openApiEndpoints } from './http/openapi/index.ts'
import { probes } from './http/probes/index.ts'
import { createServer } from './http/server.ts'
import { openSharedCounts } from './http/shared-counts.ts'
import type { Infrastructure } from './infrastructure.ts'
import { PeriodicTask } from './jobs/index.ts'
import type { Sessions } from './session-host/index.ts'
import { type ShutdownTask, shutDown } from './shutdown.ts'
import {
  type AppAdmission,
  attachSockets,
  defaultLimits,
  getAsyncApi,
  type SocketLimits,
  SocketMetrics,
} from './sockets/index.ts'

/** Interval between removals of old entries from the change log. */
const CHANGE_LOG_SWEEP_MS = 10 * 60_000

/** Time after which a shutdown ends with tasks pending. */
const SHUTDOWN_DEADLINE_MS = 15_000

/** Collaborators of the server. */
export interface ServeDeps extends Infrastructure {
  readonly sessions: Sessions
  readonly features: readonly Feature[]
  readonly admission: AppAdmission
  readonly limits?: Partial<SocketLimits> | undefined
}

/** A server that accepts requests and sockets. */
export interface Serving {
  /** Base URL it listens on, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly server: FastifyInstance
  readonly authDeps: AuthDeps
  /** Closes all sockets with a code that makes their clients reconnect. */
  closeSockets(): Promise<void>
  /** Ends sockets, requests, jobs and features, then closes the database. */
  close(): Promise<void>
}

/**
 * Serves the endpoints of the kernel and of the features, and the sockets, and starts the features' jobs.
 * @throws Error with a message for the operator: port in use
 */
export async function serve(deps: ServeDeps): Promise<Serving> {
  const { clock, config, db, log, now, metrics, readiness, publicUrl, sessions, features, webhooks } = deps
  readiness.add(databaseCheck(db), ...features.flatMap((feature) => feature.checks ?? []))
  const server = createServer({
    log,
    metrics,
    secure: config.http.publicUrl?.protocol === 'https:',
    trustProxy: config.http.trustProxy,
  })
  if (config.http.trustProxy === true)
    log.warn(
      'TRUST_PROXY=true trusts the X-Forwarded-* headers of every client; set it to the addresses of your proxies',
    )
  const { redisUrl } = config.data
  const sharedCounts = redisUrl === undefined ? undefined : await openSharedCounts(redisUrl, log)
  await limitRequests(server, { config, sharedCounts })
  const { version } = aboutCloud(config)
  const endpoints = [
    ...probes({ readiness, metrics, metricsToken: config.http.metricsToken }),
    ...openApiEndpoints({ version, publicUrl }),
    getAsyncApi({ version, publicUrl }),
    ...features.flatMap((feature) => feature.endpoints ?? []),
  ]
  const { apiKeyPackages: actingPackages, audioPackages } = config.apps
  const authDeps: AuthDeps = { ...deps, actingPackages, audioPackages }
  mount(server, endpoints, authDeps)
  const closeSockets = attachSockets(server.server, {
    ...deps,
    limits: { ...defaultLimits, ...deps.limits },
    metrics: new SocketMetrics(metrics),
    clientAddress: createAddressReader(config.http.trustProxy),
    isAccepting: () => readiness.isReady,
  })

  const port = await listen(server, config.http)
  const url = urlOf(config.http.host, port)
  deps.address.url = url
  readiness.ready()
  // The first app start needs these modules; the start of the cloud does not wait for them.
  setImmediate(() => void webhooks.prepare())
  const changeLogSweep = new PeriodicTask({
    clock,
    everyMs: CHANGE_LOG_SWEEP_MS,
    run: () => removeOldChanges(db, now()),
    failed: (err) => log.error({ err }, 'old entries of the change log could not be removed'),
  })
  const jobs = [...features.flatMap((feature) => feature.jobs ?? []), changeLogSweep]
  for (const job of jobs) job.start()

  return {
    url,
    port,
    server,
    authDeps,
    closeSockets,
    async close() {
      readiness.stopping()
      for (const feature of features) feature.stop?.()
      const sessionsClosed = sessions.close()
      deps.stopping.abort()
      const socketsClosed = closeSockets()
      const live: ShutdownTask[] = [
        { name: 'sessions', run: () => sessionsClosed },
        { name: 'sockets', run: () => socketsClosed },
        // Until the sockets are closed, handshakes are rejected with 503 rather than refused.
        { name: 'requests', run: () => socketsClosed.catch(() => {}).then(() => drain(server)) },
        { name: 'jobs', run: () => Promise.all(jobs.map((job) => job.stop())) },
      ]
      // Requests in progress use the features until they have completed.
      const afterwards = features.map(({ name, close }) => ({ name, run: async () => close?.() }))
      const last: ShutdownTask[] = [
        { name: 'database', run: () => deps.closeDatabase() },
        { name: 'webhooks', run: () => webhooks.close() },
        { name: 'redis', run: async () => sharedCounts?.close() },
      ]
      await shutDown([live, afterwards, last], { deadlineMs: SHUTDOWN_DEADLINE_MS, log })
    },
  }
}
