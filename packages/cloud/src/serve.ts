import type { FastifyInstance } from 'fastify'
import { aboutCloud } from './config/index.ts'
import { databaseCheck, removeOldChanges } from './db/index.ts'
import type { Feature } from './feature.ts'
import type { AuthDeps } from './http/auth/index.ts'
import { createAddressReader } from './http/client-address.ts'
import { allowOrigins } from './http/cors.ts'
import { limitRequests } from './http/limits.ts'
import { listen, urlOf } from './http/listening.ts'
import { mount } from './http/mount.ts'
import { openApiEndpoints } from './http/openapi/index.ts'
import { probes } from './http/probes/index.ts'
import { createServer } from './http/server.ts'
import { openSharedCounts } from './http/shared-counts.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createSweepJob, JobRunStore } from './jobs/index.ts'
import { nodeIdOf, redisPrefix } from './nodes/index.ts'
import {
  type AppRecorder,
  handOverSessions,
  type SessionDirectory,
  type SessionOwnership,
  type Sessions,
} from './session-host/index.ts'
import { type ShutdownTask, shutDown } from './shutdown.ts'
import {
  AppAdmission,
  attachSockets,
  defaultLimits,
  getAsyncApi,
  LocalGateway,
  openRelays,
  type PeerEvents,
  type SdkGenerations,
  SocketBudgets,
  type SocketLimits,
  SocketMetrics,
} from './sockets/index.ts'

/** Interval between removals of old entries from the change log. */
const CHANGE_LOG_SWEEP_MS = 10 * 60_000

/** Time over which a node of a cluster closes its sockets. */
const HAND_OVER_MS = 4_000

/** Time after which a shutdown ends with tasks pending. */
const SHUTDOWN_DEADLINE_MS = 15_000

/** Collaborators of the server. */
export interface ServeDeps extends Infrastructure {
  /** The sessions of this node. */
  readonly sessions: Sessions
  /** The sessions of all nodes. */
  readonly directory: SessionDirectory
  readonly features: readonly Feature[]
  readonly appRecorder: AppRecorder
  /** The owners of the sessions in a cluster; undefined: this is the only node. */
  readonly ownership: SessionOwnership | undefined
  readonly sdks: SdkGenerations
  /** Returns the id of the user of a managed stream of this node. */
  streamOwner(streamId: string): string | undefined
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
  await allowOrigins(server, { origins: config.http.corsOrigins, publicUrl })
  const { redis } = config.data
  const sharedCounts = redis && (await openSharedCounts(redis, await redisPrefix(db), log))
  await limitRequests(server, {
    config,
    sharedCounts,
    users: {
      ofSession: (userSessionId) => sessions.byUserSessionId(userSessionId)?.user.email,
      ofStream: (streamId) => {
        const userId = deps.streamOwner(streamId)
        return userId === undefined ? undefined : sessions.hostedFor([userId])[0]?.user.email
      },
    },
  })
  const { version } = aboutCloud(config)
  const endpoints = [
    ...probes({ readiness, metrics, metricsToken: config.http.metricsToken }),
    ...openApiEndpoints({ version, publicUrl }),
    getAsyncApi({ version, publicUrl }),
    ...features.flatMap((feature) => feature.endpoints ?? []),
  ]
  const { apiKeyPackages: actingPackages, audioPackages } = config.apps
  const authDeps: AuthDeps = {
    ...deps,
    sessions: deps.directory,
    actingPackages,
    audioPackages,
    trustedOrigins: config.http.corsOrigins,
  }
  mount(server, endpoints, authDeps)
  const limits = { ...defaultLimits, ...deps.limits }
  const socketMetrics = new SocketMetrics(metrics)
  const { cluster, ownership } = deps
  const peerEvents: PeerEvents = {
    audioDropped: (frames) => socketMetrics.dropped('audio', frames),
    tooSlow: () => socketMetrics.slowReader(),
    ...(cluster && { mayWrite: () => cluster.lease.isValid() }),
  }
  const budgets = new SocketBudgets(clock, limits)
  const local = new LocalGateway(deps)
  const relays =
    ownership &&
    openRelays({ ...deps, sessions, ownership, local, limits, budgets, events: peerEvents, nodeIdOf })
  const gateway = relays?.gateway ?? local
  if (cluster) cluster.status.sessions = () => sessions.size
  const closeSockets = attachSockets(server.server, {
    ...deps,
    gateway,
    admission: new AppAdmission({ ...deps, gateway }),
    peerEvents,
    limits,
    budgets,
    metrics: socketMetrics,
    clientAddress: createAddressReader(config.http.trustProxy),
    isAccepting: () => readiness.isReady,
  })

  const listening = await listen(server, config.http)
  const { port } = listening
  const url = urlOf(config.http.host, port)
  deps.address.url = url
  readiness.ready()
  // The first app start needs these modules; the start of the cloud does not wait for them.
  setImmediate(() => void webhooks.prepare())
  const changeLogSweep = createSweepJob({
    name: 'change-log-sweep',
    everyMs: CHANGE_LOG_SWEEP_MS,
    checkEveryMs: CHANGE_LOG_SWEEP_MS,
    sweep: () => removeOldChanges(db, now()),
    runs: new JobRunStore(db),
    clock,
    log,
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
      if (cluster) cluster.status.isDraining = true
      const handedOver =
        relays &&
        Promise.all([
          handOverSessions(sessions, clock, Math.random, HAND_OVER_MS),
          relays.drain(Math.random, HAND_OVER_MS),
        ])
      const stopSessions = async () => {
        const closed = sessions.close()
        deps.stopping.abort()
        await closed
      }
      // Without a cluster everything closes at once: there is no other node to go to.
      const sessionsClosed = handedOver ? handedOver.then(stopSessions) : stopSessions()
      const socketsClosed = handedOver ? sessionsClosed.then(closeSockets) : closeSockets()
      const live: ShutdownTask[] = [
        { name: 'sessions', run: () => sessionsClosed },
        { name: 'sockets', run: () => socketsClosed },
        // Until the sockets are closed, handshakes are rejected with 503 rather than refused.
        { name: 'requests', run: () => socketsClosed.catch(() => {}).then(() => listening.drain()) },
        { name: 'jobs', run: () => Promise.all(jobs.map((job) => job.stop())) },
      ]
      // Requests in progress use the features until they have completed.
      const afterwards = [
        ...features.map(({ name, close }) => ({ name, run: async () => close?.() })),
        { name: 'credential uses', run: () => deps.credentialUses.flush() },
      ]
      const last: ShutdownTask[] = [
        { name: 'database', run: () => deps.closeDatabase() },
        { name: 'lease', run: async () => cluster?.close() },
        { name: 'blobs', run: () => deps.blobs.close() },
        { name: 'webhooks', run: () => webhooks.close() },
        { name: 'redis', run: async () => sharedCounts?.close() },
        { name: 'bus', run: () => deps.bus.close() },
      ]
      await shutDown([live, afterwards, last], { deadlineMs: SHUTDOWN_DEADLINE_MS, log })
    },
  }
}
