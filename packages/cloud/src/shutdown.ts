import { setTimeout as delay } from 'node:timers/promises'
import type { BackgroundJob, Feature } from './feature.ts'
import type { Listening } from './http/listening.ts'
import type { SharedCounts } from './http/request-counts.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { SocketServing } from './serve-sockets.ts'
import { handOverSessions, type Sessions } from './session-host/index.ts'

/** Time over which a node of a cluster closes its sockets. */
const HAND_OVER_MS = 4_000

/**
 * Time for which a single node behind a proxy continues to serve requests: the checks of proxies find within it that the
 * node is not ready. A request that the proxy sends while the node closes its connections is lost.
 */
const NOTICE_MS = 2_000

/** Time after which a shutdown ends with tasks pending. */
const SHUTDOWN_DEADLINE_MS = 15_000

/**
 * Time before the deadline in which requests are cut, so that features, the database and the lease are closed in order:
 * other nodes reach a session only once its owner has given up its lease.
 */
const LAST_PHASES_MS = 2_000

/** What runs and must stop. */
export interface RunningCloud {
  readonly infrastructure: Infrastructure
  readonly sessions: Sessions
  readonly features: readonly Feature[]
  readonly sockets: SocketServing
  readonly listening: Listening
  readonly sharedCounts: SharedCounts | undefined
  readonly jobs: readonly Pick<BackgroundJob, 'stop'>[]
}

/** Ends sessions, sockets, requests and jobs; then the features, which they use; then what everything uses. */
export async function stopCloud({
  infrastructure,
  sessions,
  features,
  ...serving
}: RunningCloud): Promise<void> {
  const { sockets, listening, sharedCounts, jobs } = serving
  const { blobs, bus, clock, cluster, config, log, readiness, stopping, webhooks } = infrastructure
  const requestDeadline = performance.now() + SHUTDOWN_DEADLINE_MS - LAST_PHASES_MS
  readiness.stopping()
  for (const feature of features) feature.stop?.()
  if (cluster) cluster.status.isDraining = true
  const handedOver =
    sockets.relays &&
    Promise.all([
      handOverSessions(sessions, clock, Math.random, HAND_OVER_MS),
      sockets.relays.drain(Math.random, HAND_OVER_MS),
    ])
  const stopSessions = async () => {
    const closed = sessions.close()
    stopping.abort()
    await closed
  }
  // Without a cluster everything closes at once: there is no other node to go to.
  const sessionsClosed = handedOver ? handedOver.then(stopSessions) : stopSessions()
  const socketsClosed = handedOver ? sessionsClosed.then(sockets.close) : sockets.close()
  // The hand-over of a cluster takes longer.
  const noticed = !handedOver && config.http.trustProxy !== false ? delay(NOTICE_MS) : undefined
  const live: ShutdownTask[] = [
    { name: 'sessions', run: () => sessionsClosed },
    { name: 'sockets', run: () => socketsClosed },
    // Until the sockets are closed, handshakes are rejected with 503 rather than refused.
    {
      name: 'requests',
      run: async () => {
        await Promise.allSettled([socketsClosed, noticed])
        await listening.drain(requestDeadline - performance.now())
      },
    },
    { name: 'jobs', run: () => Promise.all(jobs.map((job) => job.stop())) },
  ]
  // Requests in progress use the features until they have completed.
  const afterwards: ShutdownTask[] = [
    ...features.map(({ name, close }) => ({ name, run: async () => close?.() })),
    { name: 'credential uses', run: () => infrastructure.credentialUses.flush() },
  ]
  const last: ShutdownTask[] = [
    { name: 'database', run: () => infrastructure.closeDatabase() },
    { name: 'lease', run: async () => cluster?.close() },
    { name: 'blobs', run: () => blobs.close() },
    { name: 'webhooks', run: () => webhooks.close() },
    { name: 'redis', run: async () => sharedCounts?.close() },
    { name: 'bus', run: () => bus.close() },
    { name: 'traces', run: () => infrastructure.tracing.close() },
  ]
  await shutDown([live, afterwards, last], { deadlineMs: SHUTDOWN_DEADLINE_MS, log })
}

/** A part of the shutdown. */
export interface ShutdownTask {
  /** Unique; named in the log if the task fails or does not complete. */
  readonly name: string
  run(): Promise<unknown> | undefined
}

export interface ShutdownOptions {
  readonly deadlineMs: number
  readonly log: { error(fields: object, message: string): void }
}

/**
 * Runs the phases of a shutdown in order, and the tasks of each phase in parallel. A task that fails is logged and does
 * not keep others from running. Resolves at the deadline even if tasks are pending.
 */
export async function shutDown(
  phases: readonly (readonly ShutdownTask[])[],
  { deadlineMs, log }: ShutdownOptions,
): Promise<void> {
  const pending = new Set(phases.flat().map(({ name }) => name))
  const runTask = async ({ name, run }: ShutdownTask) => {
    try {
      await run()
    } catch (err) {
      log.error({ err, task: name }, 'shutdown: task failed')
    } finally {
      pending.delete(name)
    }
  }
  const runPhases = async () => {
    for (const phase of phases) await Promise.all(phase.map(runTask))
  }
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    log.error({ pending: [...pending] }, 'shutdown: deadline exceeded')
    resolve()
  }, deadlineMs)
  await Promise.race([runPhases(), deadline])
  clearTimeout(timer)
}
