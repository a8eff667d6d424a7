import type { FastifyInstance } from 'fastify'
import { isWildcardHost } from './config/index.ts'
import { databaseCheck, removeOldChanges } from './db/index.ts'
import type { BackgroundJob, Feature } from './feature.ts'
import type { Features } from './features.ts'
import type { SessionHost } from './host-sessions.ts'
import type { SchemeDeps } from './http/auth/index.ts'
import { findLanAddress, publicUrlProblem } from './http/lan-address.ts'
import { listen, localUrlOf, urlOf } from './http/listening.ts'
import type { Metrics } from './http/metrics.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createSweepJob, JobRunStore } from './jobs/index.ts'
import { serveHttp } from './serve-http.ts'
import { serveSockets } from './serve-sockets.ts'
import { stopCloud } from './shutdown.ts'
import type { SocketLimits } from './sockets/index.ts'
import { publicNameOf, RedirectServer } from './tls/index.ts'

/** Interval between removals of old entries from the change log. */
const CHANGE_LOG_SWEEP_MS = 10 * 60_000

/** A server that accepts requests and sockets. */
export interface Serving {
  /** Base URL it listens on, without a trailing slash. */
  readonly url: string
  /** Where browsers of this machine permit more than at the public URL; undefined: nowhere. */
  readonly localUrl: string | undefined
  readonly port: number
  readonly server: FastifyInstance
  readonly authDeps: SchemeDeps
  /** Closes all sockets with a code that makes their clients reconnect. */
  closeSockets(): Promise<void>
  /** Ends sockets, requests, jobs and features, then closes the database. */
  close(): Promise<void>
}

/**
 * Serves the endpoints of the kernel and of the features, and the sockets, and starts the features' jobs.
 * @throws Error with a message for the operator: port in use
 */
export async function serve(
  infrastructure: Infrastructure,
  host: SessionHost,
  features: Features,
  limits?: Partial<SocketLimits>,
): Promise<Serving> {
  const { address, clock, config, db, log, metrics, readiness, tls, webhooks } = infrastructure
  const allFeatures: readonly Feature[] = Object.values(features)
  readiness.add(databaseCheck(db), ...allFeatures.flatMap(({ checks = [] }) => checks))
  const { server, authDeps, sharedCounts } = await serveHttp(infrastructure, host, features)
  const sockets = serveSockets(server.server, infrastructure, host, features, limits)

  const listening = await listen(server, config.http)
  const { port } = listening
  const { host: listenHost, publicUrl } = config.http
  const url = urlOf(listenHost, port, tls ? 'https' : 'http')
  address.url = url
  // Requests may already arrive.
  address.publicUrl = url
  let localUrl: string | undefined
  if (publicUrl === undefined) {
    const lan = isWildcardHost(listenHost) && !tls ? await findLanAddress() : undefined
    if (tls) address.publicUrl = urlOf(publicNameOf(config, tls), port, 'https')
    else address.publicUrl = await localUrlOf(listenHost, port, clock)
    if (lan !== undefined) {
      localUrl = address.publicUrl
      address.publicUrl = urlOf(lan, port)
    }
  }
  const problem = await publicUrlProblem(config, port)
  if (problem !== undefined) log.warn(problem)
  const redirect = await listenForRedirects(infrastructure, port).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  readiness.ready()
  // The first app start needs these modules; the start of the cloud does not wait for them.
  setImmediate(() => void webhooks.prepare())
  const jobs: Pick<BackgroundJob, 'stop'>[] = startJobs(metrics, [
    ...allFeatures,
    { name: 'change-log', jobs: [changeLogSweep(infrastructure)] },
  ])
  // It has metrics of its own.
  tls?.start()
  if (tls) jobs.push(tls)
  if (redirect) jobs.push({ stop: () => redirect.close() })

  return {
    url,
    localUrl,
    port,
    server,
    authDeps,
    closeSockets: sockets.close,
    close: () =>
      stopCloud({
        infrastructure,
        sessions: host.sessions,
        features: allFeatures,
        sockets,
        listening,
        sharedCounts,
        jobs,
      }),
  }
}

/** Starts the port that redirects to HTTPS, if there is one. @param port that of HTTPS */
async function listenForRedirects(
  { config, publicUrl, tls }: Infrastructure,
  port: number,
): Promise<RedirectServer | undefined> {
  if (!tls || config.tls.mode === 'off' || config.tls.redirectPort === 0) return undefined
  return RedirectServer.listen({
    host: config.http.host,
    port: config.tls.redirectPort,
    publicUrl,
    httpsPort: () => port,
    isOwnHost: (host) => tls.isFor(host),
    answer: (path) => tls.answer(path),
  })
}

/** Starts the jobs of features, and counts their failed runs by feature (OBS-8). */
function startJobs(metrics: Pick<Metrics, 'counter'>, features: readonly Feature[]): BackgroundJob[] {
  const working = features.filter(({ jobs = [] }) => jobs.length > 0)
  const failures = metrics.counter(
    'jobs_failed_total',
    'Failed runs of background jobs of this node, by feature',
    // Prometheus has a label `job` of its own.
    ['feature'],
    working.map(({ name }) => ({ feature: name })),
  )
  return working.flatMap(({ name, jobs = [] }) => {
    for (const job of jobs) job.start(() => failures.inc({ feature: name }))
    return jobs
  })
}

function changeLogSweep({ clock, db, log, now }: Infrastructure): BackgroundJob {
  return createSweepJob({
    name: 'change-log-sweep',
    everyMs: CHANGE_LOG_SWEEP_MS,
    checkEveryMs: CHANGE_LOG_SWEEP_MS,
    sweep: () => removeOldChanges(db, now()),
    runs: new JobRunStore(db),
    clock,
    log,
  })
}
