import { addSettingValues, readPhoneSettings, toStoredSettings } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { Bus, Subscription } from '../bus/index.ts'
import type { Database } from '../db/index.ts'
import { baseUrlOf } from '../http/request-origin.ts'
import type {
  AppDefinition,
  AppMessaging,
  SessionPorts,
  StoreResult,
  WebhookCall,
  WebhookOutcome,
} from '../session/index.ts'
import { toIsoString } from '../time/index.ts'
import type { Tracing } from '../tracing/index.ts'
import type { WebhookClient } from '../webhooks/index.ts'
import type { AppStartTraces } from './app-start-traces.ts'
import type {
  AppActivity,
  AppDirectory,
  AppRecorder,
  AppServers,
  PhotoTargets,
  SessionSettings,
  SessionSpeechGateway,
  StreamingGateway,
} from './collaborators.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import type { RunningApp, RunningAppStore } from './running-app-store.ts'
import type { SessionRecorder } from './session-recorder.ts'

const EMPTY = Buffer.alloc(0)

/** Sessions in a row after which an app that cannot be started no longer counts as running. */
const MAX_FAILED_SESSIONS = 3

/**
 * Announces to all nodes that the live session of a user has changed. An announcement contains no state: who receives it
 * reads the session. Announcements are lost while the bus is disconnected, so readers look again from time to time.
 */
export class SessionAnnouncements {
  readonly #bus: Bus

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** Reports that the session started, ended, or has another overview. */
  changed(userId: string): void {
    this.#bus.publish(channelOf(userId), EMPTY)
  }

  /** Calls the listener after each change, whichever node hosts the session. */
  subscribe(userId: string, listener: () => void): Subscription {
    return this.#bus.subscribe(channelOf(userId), () => listener())
  }
}

const channelOf = (userId: string) => `session-changed:${userId}`

export interface SessionPortsDeps {
  readonly apps: AppDirectory
  readonly appServers: AppServers
  readonly appActivity: AppActivity
  readonly appRecorder: AppRecorder
  readonly running: Pick<RunningAppStore, 'setRunning' | 'clearRunning' | 'setFailedSessions'>
  readonly settings: SessionSettings
  readonly webhooks: Pick<WebhookClient, 'post'>
  readonly photos: PhotoTargets
  readonly streams: StreamingGateway
  readonly speech: SessionSpeechGateway
  readonly appMessages: AppMessaging
  /** Orders the writes of each user; keyed by user id. */
  readonly writes: KeyedQueue
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Returns the address apps connect to: `ws(s)://…/app-ws`. */
  readonly appSocketUrl: () => string
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  readonly announcements: SessionAnnouncements
  readonly tracing: Tracing
  readonly starts: AppStartTraces
  /** Aborts pending webhook calls at shutdown. */
  readonly signal: AbortSignal
}

/** Restricts a session to the time in which this node owns it. */
export interface SessionFence {
  isOwner(): boolean
  /** Runs writes in a transaction. @throws StaleEpochError if this node does not own the session */
  write<Value>(write: (db: Database) => Promise<Value>): Promise<Value>
}

/**
 * Creates the ports through which one user's session reads and writes rows and calls webhooks.
 * @param ended called once, when the session has ended
 * @param recorder records starts and webhook calls for the developers of the apps
 * @param runningApps the apps that were stored as running before the session
 * @param fence restricts the session to the time in which this node owns it; undefined without a cluster
 */
export function createSessionPorts(
  deps: SessionPortsDeps,
  user: { readonly id: string; readonly email: string },
  ended: () => void,
  recorder: SessionRecorder,
  runningApps: readonly RunningApp[],
  fence?: SessionFence,
): Omit<SessionPorts, 'glassesChanged'> {
  const { settings, writes, log, now } = deps
  /** Runs a write, in a cluster only while this node owns the session. */
  const write = <Value>(task: (db: Database | undefined) => Promise<Value>): Promise<Value> =>
    fence ? fence.write(task) : task(undefined)
  const report = <Value>(task: Promise<Value>, done: (outcome: StoreResult<Value>) => void) => {
    task.then(
      (value) => done({ ok: true, value }),
      (error: unknown) => {
        log.error({ err: error }, 'session: database query failed')
        done({ ok: false })
      },
    )
  }
  const failedSessions = new Map(runningApps.map((app) => [app.packageName, app.failedSessions]))
  const setFailedSessions = (packageName: string, count: number) =>
    writes.run(user.id, () => write((db) => deps.running.setFailedSessions(user.id, packageName, count, db)))
  /** First uses that are being stored, by package name. */
  const acceptances = new Map<string, Promise<void>>()
  /** Reads the permissions of a known app too: they may have changed since it was read. */
  const loadApp = async (packageName: string, known: AppDefinition | undefined) => {
    await acceptances.get(packageName)
    // Glasses name the apps they start, so an unpublished app loads only for users who may see it.
    if (known === undefined && !(await deps.apps.isVisible(packageName, user))) return undefined
    const [app] = await deps.apps.findFor(user, [packageName])
    return app
  }
  return {
    loadApp: (packageName, known, done) => {
      recorder.requested(packageName)
      report(loadApp(packageName, known), done)
    },
    acceptFirstUse: (packageName) => {
      const acceptance = deps.apps.acceptFirstUse(packageName, user).catch((error: unknown) => {
        log.error({ err: error, packageName }, 'session: the permissions of an app could not be accepted')
      })
      acceptances.set(packageName, acceptance)
      acceptance.finally(() => {
        if (acceptances.get(packageName) === acceptance) acceptances.delete(packageName)
      })
    },
    saveRunningApp: ({ id, packageName, unreachableSince }, since, done) =>
      report(
        deps.starts.running(user.id, packageName, () =>
          writes.run(user.id, async () => {
            await write(async (db) => {
              await deps.running.setRunning(user.id, packageName, since, db)
              await deps.appActivity.touchLastActive(user.id, id, since, db)
            })
            recorder.started(packageName)
            // A running app has a working server, even if its webhook response is still pending.
            if (unreachableSince !== null) await deps.apps.markReachable(packageName)
            return undefined
          }),
        ),
        done,
      ),
    deleteRunningApp: (packageName, done) =>
      report(
        writes.run(user.id, async () => {
          const app = await deps.apps.findByPackage(packageName)
          const wasRunning = await write(async (db) => {
            const wasRunning = await deps.running.clearRunning(user.id, packageName, db)
            if (wasRunning && app) await deps.appActivity.touchLastActive(user.id, app.id, now(), db)
            return wasRunning
          })
          if (wasRunning) recorder.stopped(packageName)
          return undefined
        }),
        done,
      ),
    restoreFailed: (packageName, done) => {
      const count = (failedSessions.get(packageName) ?? 0) + 1
      failedSessions.set(packageName, count)
      report(
        setFailedSessions(packageName, count).then(() => count >= MAX_FAILED_SESSIONS),
        done,
      )
    },
    restoreSucceeded: (packageName) => {
      if (!failedSessions.get(packageName)) return
      setFailedSessions(packageName, 0).catch((error: unknown) => {
        log.error({ err: error, packageName }, 'session: the start of an app could not be recorded')
      })
    },
    loadAppSettings: (packageName, done) =>
      report(
        deps.apps.findByPackage(packageName).then(async (app) => {
          if (!app) return []
          return addSettingValues(app.settings, await settings.appSettings(user.id, app.id))
        }),
        done,
      ),
    loadPhoneSettings: (done) => report(settings.userSettings(user.id).then(readPhoneSettings), done),
    saveOsSettings: (changes, done) =>
      report(
        write((db) =>
          settings.mergeUserSettings(user.id, toStoredSettings(changes), now(), undefined, db),
        ).then(() => undefined),
        done,
      ),
    callWebhook: (app, call, timeoutMs, done) => {
      const isOwner = () => fence?.isOwner() ?? true
      const start = call.type === 'session_request' ? deps.starts.begin(user.id, app.packageName) : undefined
      const run = () => callWebhook(deps, user.email, recorder, app, call, timeoutMs, isOwner)
      const called = start === undefined ? run() : deps.tracing.within(start, run)
      called.then(done, (error: unknown) => {
        log.error({ err: error, packageName: app.packageName }, 'session: webhook call failed')
        done({
          ok: false,
          code: 'STORE_UNAVAILABLE',
          message: 'The app could not be loaded',
          retryable: true,
        })
      })
    },
    createPhotoTarget: (packageName, requestId) => deps.photos.target(user.id, packageName, requestId),
    toPhoneUrl: (address) => withServedScheme(resolveOwnPath(address, deps.publicUrl()), deps.appSocketUrl()),
    reportPhotoError: (packageName, error) => deps.photos.fail(user.id, packageName, error),
    appMessages: deps.appMessages,
    streaming: deps.streams.forUser(user.id),
    speech: deps.speech.forSession(),
    streamingProblem: deps.streams.problem,
    sessionFailed: (error) => log.error({ err: error }, 'session: failed and was ended'),
    overviewChanged: () => deps.announcements.changed(user.id),
    sessionEnded: ended,
  }
}

/**
 * Replaces `https` by `http` in addresses of a cloud that serves plain `http`: the app SDK always writes `https`
 * (app-socket.md §1.2), and phones could not fetch such an address.
 */
function withServedScheme(address: string, appSocketUrl: string): string {
  const own = new URL(appSocketUrl)
  const requested = URL.parse(address)
  const isPlain = own.protocol === 'ws:' && requested?.protocol === 'https:' && requested.host === own.host
  return isPlain ? address.replace(/^https/i, 'http') : address
}

/**
 * Completes a path of this cloud, which `MiniAppServer` sends as address of speech. It must begin with one slash: with
 * two, or with a backslash, it would name another host.
 */
function resolveOwnPath(address: string, publicUrl: URL): string {
  return /^\/(?![/\\])/.test(address) ? baseUrlOf(publicUrl) + address : address
}

/** The session does not act on it: its node has abandoned it. */
const NOT_OWNER: WebhookOutcome = {
  ok: false,
  code: 'NOT_OWNER',
  message: 'Another node may own the session',
  retryable: true,
}

async function callWebhook(
  { apps, appServers, webhooks, appSocketUrl, signal, now, log }: SessionPortsDeps,
  userEmail: string,
  recorder: SessionRecorder,
  app: AppDefinition,
  call: WebhookCall,
  timeoutMs: number,
  isOwner: () => boolean,
): Promise<WebhookOutcome> {
  if (call.type === 'stop_request' && (await apps.findByPackage(app.packageName))?.id !== app.id)
    return { ok: false, code: 'APP_NOT_FOUND', message: 'The app was deleted', retryable: false }
  const { type, sessionId } = call
  const url = appSocketUrl()
  const startedAt = performance.now()
  const target = await appServers.webhookTarget(app)
  // The ownership may have been lost while rows were read.
  if (!isOwner()) return NOT_OWNER
  const response = await webhooks.post(
    target,
    '/webhook',
    {
      type,
      sessionId,
      userId: userEmail,
      timestamp: toIsoString(now()),
      ...(type === 'session_request'
        ? { mentraOSWebsocketUrl: url, augmentOSWebsocketUrl: url }
        : { reason: call.reason }),
    },
    { timeoutMs, signal, kind: type === 'session_request' ? 'start' : 'stop' },
  )
  recorder.called(app.packageName, type, response, Math.round(performance.now() - startedAt))
  // Neither an aborted call nor a stop adds to what the call at the start showed about the server.
  if (!signal.aborted && type === 'session_request') {
    await appServers.recordServerHealth(app, response).catch((error: unknown) => {
      log.error(
        { err: error, packageName: app.packageName },
        'session: app server health could not be stored',
      )
    })
  }
  return response.ok ? { ok: true } : response
}
