import { addSettingValues, readPhoneSettings, toStoredSettings } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import {
  type AppMessaging,
  type SessionPorts,
  type StoreResult,
  toIsoString,
  type WebhookCall,
  type WebhookOutcome,
} from '../session/index.ts'
import type { WebhookClient } from '../webhooks/index.ts'
import type {
  AppActivity,
  AppDirectory,
  AppServers,
  PhotoTargets,
  SessionApp,
  SessionSettings,
  StreamingGateway,
} from './collaborators.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import type { RunningAppStore } from './running-app-store.ts'
import type { StartingApps } from './starting-apps.ts'

export interface SessionPortsDeps {
  readonly apps: AppDirectory
  readonly appServers: AppServers
  readonly appActivity: AppActivity
  readonly running: RunningAppStore
  readonly settings: SessionSettings
  readonly webhooks: WebhookClient
  readonly photos: PhotoTargets
  readonly streams: StreamingGateway
  readonly appMessages: AppMessaging
  /** Orders the writes of each user; keyed by user id. */
  readonly writes: KeyedQueue
  readonly log: Logger
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Returns the address apps connect to: `ws(s)://…/app-ws`. */
  readonly appSocketUrl: () => string
  /** Aborts pending webhook calls at shutdown. */
  readonly signal: AbortSignal
}

/**
 * Creates the ports through which one user's session reads and writes rows and calls webhooks.
 * @param ended called once, when the session has ended
 */
export function createSessionPorts(
  deps: SessionPortsDeps,
  user: { readonly id: string; readonly email: string },
  starting: StartingApps,
  ended: () => void,
): SessionPorts {
  const { running, settings, writes, log, now } = deps
  const report = <Value>(task: Promise<Value>, done: (outcome: StoreResult<Value>) => void) => {
    task.then(
      (value) => done({ ok: true, value }),
      (error: unknown) => {
        log.error({ err: error }, 'session: database query failed')
        done({ ok: false })
      },
    )
  }
  return {
    loadApp: (packageName, done) => report(loadApp(deps, user, starting, packageName), done),
    saveRunningApp: (packageName, since, done) =>
      report(
        writes.run(user.id, async () => {
          await running.setRunning(user.id, packageName, since)
          const app = await recordActivity(deps, user.id, starting, packageName, since)
          // A running app has a working server, even if its webhook response is still pending.
          if (app && app.unreachableSince !== null) await deps.apps.markReachable(packageName)
          return undefined
        }),
        done,
      ),
    deleteRunningApp: (packageName, done) =>
      report(
        writes.run(user.id, async () => {
          const wasRunning = await running.clearRunning(user.id, packageName)
          if (wasRunning) await recordActivity(deps, user.id, starting, packageName, now())
          return undefined
        }),
        done,
      ),
    loadAppSettings: (packageName, done) =>
      report(
        starting.find(packageName).then(async (app) => {
          if (!app) return []
          return addSettingValues(app.settings, await settings.appSettings(user.id, app.id))
        }),
        done,
      ),
    loadPhoneSettings: (done) => report(settings.userSettings(user.id).then(readPhoneSettings), done),
    saveOsSettings: (changes, done) =>
      report(
        settings.mergeUserSettings(user.id, toStoredSettings(changes), now()).then(() => undefined),
        done,
      ),
    callWebhook: (call, timeoutMs, done) => {
      callWebhook(deps, user.email, starting, call, timeoutMs).then(done, (error: unknown) => {
        log.error({ err: error, packageName: call.packageName }, 'session: webhook call failed')
        done({
          ok: false,
          code: 'STORE_UNAVAILABLE',
          message: 'The app could not be loaded',
          retryable: true,
        })
      })
    },
    createPhotoTarget: (packageName, requestId) => deps.photos.target(user.id, packageName, requestId),
    toPhoneUrl: (address) => withServedScheme(address, deps.appSocketUrl()),
    reportPhotoError: (packageName, error) => deps.photos.fail(packageName, error),
    appMessages: deps.appMessages,
    streaming: deps.streams.forUser(user.id),
    sessionFailed: (error) => log.error({ err: error }, 'session: failed and was ended'),
    sessionEnded: ended,
  }
}

/**
 * Returns the app that the start was requested with, or reads it. Glasses name the apps they start, so an unpublished
 * app loads only for users who may see it.
 */
async function loadApp(
  { apps }: SessionPortsDeps,
  user: { readonly id: string; readonly email: string },
  starting: StartingApps,
  packageName: string,
): Promise<SessionApp | undefined> {
  const requested = starting.takeRequested(packageName)
  if (requested) return requested
  const app = await apps.findVisible(packageName, user)
  if (app) starting.add(app)
  return app
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

/** Records when an app last started or stopped for the user. */
async function recordActivity(
  { appActivity }: SessionPortsDeps,
  userId: string,
  starting: StartingApps,
  packageName: string,
  at: number,
): Promise<SessionApp | undefined> {
  const app = await starting.find(packageName)
  if (app) await appActivity.touchLastActive(userId, app.id, at)
  return app
}

async function callWebhook(
  { appServers, webhooks, appSocketUrl, signal, now, log }: SessionPortsDeps,
  userEmail: string,
  starting: StartingApps,
  call: WebhookCall,
  timeoutMs: number,
): Promise<WebhookOutcome> {
  const app = await starting.find(call.packageName)
  if (!app) return { ok: false, code: 'APP_NOT_FOUND', message: 'The app does not exist', retryable: false }
  const { type, sessionId } = call
  const url = appSocketUrl()
  const response = await webhooks.post(
    await appServers.webhookTarget(app),
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
    { timeoutMs, signal },
  )
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
