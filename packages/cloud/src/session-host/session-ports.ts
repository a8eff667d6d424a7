import { asStored, osSettingsOf, withValues } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import {
  type App,
  type AppStore,
  type InstallStore,
  noteServer,
  webhookTarget,
} from '../features/catalogue/index.ts'
import type { PhotoRelay } from '../features/photos/index.ts'
import type { SettingsStore } from '../features/settings/index.ts'
import type { LiveStreams } from '../features/streams/index.ts'
import type { ApiKeyStore } from '../identity/index.ts'
import {
  type AppMessaging,
  iso,
  type SessionPorts,
  type Stored,
  type WebhookCall,
  type WebhookOutcome,
} from '../session/index.ts'
import type { WebhookClient } from '../webhooks/index.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import type { RunningAppStore } from './running-app-store.ts'

/** What the effects of sessions are carried out with. */
export interface SessionPortsParts {
  readonly apps: AppStore
  /** Packages that everybody has. */
  readonly systemPackages: readonly string[]
  readonly apiKeys: ApiKeyStore
  readonly running: RunningAppStore
  readonly installs: InstallStore
  /** Epoch ms. */
  readonly now: () => number
  readonly settings: SettingsStore
  readonly webhooks: WebhookClient
  readonly photos: Pick<PhotoRelay, 'target' | 'fail'>
  readonly streams: LiveStreams
  readonly appMessages: AppMessaging
  readonly writes: KeyedQueue
  readonly log: Logger
  /** Where apps connect to: `ws(s)://…/app-ws`. */
  readonly appSocketUrl: () => string
  /** Ends the calls under way when the process goes down. */
  readonly signal: AbortSignal
}

/** Carries out the effects of one user's session: rows, webhooks. */
export function createSessionPorts(
  parts: SessionPortsParts,
  user: { readonly id: string; readonly email: string },
  ended: () => void,
): SessionPorts {
  const { apps, running, settings, writes, log } = parts
  const stored = <Value>(task: Promise<Value>, done: (outcome: Stored<Value>) => void) => {
    task.then(
      (value) => done({ ok: true, value }),
      (error: unknown) => {
        log.error({ err: error }, 'session: the database failed')
        done({ ok: false })
      },
    )
  }
  return {
    loadApp: (packageName, done) => {
      // Glasses name what they want started; an app that its makers try out is not for everybody who knows its name.
      const viewer = { userId: user.id, email: user.email, systemPackages: parts.systemPackages }
      stored(apps.findVisible(packageName, viewer), done)
    },
    saveRunning: (packageName, since, done) =>
      stored(
        writes.run(user.id, async () => {
          await running.setRunning(user.id, packageName, since)
          const app = await noteActive(parts, user.id, packageName, since)
          // An app that runs has a server that answers, whatever the webhook's slow reply will say.
          if (app && app.unreachableSince !== null) await apps.markReachable(packageName)
          return undefined
        }),
        done,
      ),
    clearRunning: (packageName, done) =>
      stored(
        writes.run(user.id, async () => {
          const wasRunning = await running.clearRunning(user.id, packageName)
          if (wasRunning) await noteActive(parts, user.id, packageName, parts.now())
          return undefined
        }),
        done,
      ),
    loadAppSettings: (packageName, done) =>
      stored(
        apps.findByPackage(packageName).then(async (app) => {
          if (!app) return []
          return withValues(app.settings, await settings.appSettings(user.id, app.id))
        }),
        done,
      ),
    loadOsSettings: (done) => stored(settings.userSettings(user.id).then(osSettingsOf), done),
    saveOsSettings: (changes, done) =>
      stored(
        settings.mergeUserSettings(user.id, asStored(changes), parts.now()).then(() => undefined),
        done,
      ),
    callWebhook: (call, timeoutMs, done) => {
      callWebhook(parts, user.email, call, timeoutMs).then(done, (error: unknown) => {
        log.error({ err: error, packageName: call.packageName }, 'session: a webhook could not be called')
        done({ ok: false, code: 'STORE_UNAVAILABLE', message: 'The app could not be read', retryable: true })
      })
    },
    photoTarget: (packageName, requestId) => parts.photos.target(user.id, packageName, requestId),
    reachable: (address) => asReached(address, parts.appSocketUrl()),
    failPhoto: (packageName, error) => parts.photos.fail(packageName, error),
    appMessages: parts.appMessages,
    streaming: parts.streams.forUser(user.id),
    ended,
  }
}

/**
 * The app SDK writes every address of the cloud with `https` (app socket protocol, 1.2), also where the cloud serves
 * plain `http`, and no phone could fetch it there.
 */
function asReached(address: string, appSocketUrl: string): string {
  const own = new URL(appSocketUrl)
  const asked = URL.parse(address)
  const plainOwn = own.protocol === 'ws:' && asked?.protocol === 'https:' && asked.host === own.host
  return plainOwn ? address.replace(/^https/i, 'http') : address
}

/** Notes in the wearer's list when an app last started or stopped. */
async function noteActive(
  { apps, installs }: SessionPortsParts,
  userId: string,
  packageName: string,
  at: number,
): Promise<App | undefined> {
  const app = await apps.findByPackage(packageName)
  if (app) await installs.touchLastActive(userId, app.id, at)
  return app
}

async function callWebhook(
  { apps, apiKeys, webhooks, appSocketUrl, signal, now, log }: SessionPortsParts,
  userId: string,
  call: WebhookCall,
  timeoutMs: number,
): Promise<WebhookOutcome> {
  const app = await apps.findByPackage(call.packageName)
  if (!app) return { ok: false, code: 'APP_NOT_FOUND', message: 'The app does not exist', retryable: false }
  const { type, sessionId } = call
  const url = appSocketUrl()
  const answer = await webhooks.post(
    await webhookTarget(apiKeys, app),
    '/webhook',
    {
      type,
      sessionId,
      userId,
      timestamp: iso(now()),
      ...(type === 'session_request'
        ? { mentraOSWebsocketUrl: url, augmentOSWebsocketUrl: url }
        : { reason: call.reason }),
    },
    { timeoutMs, signal },
  )
  // A call that we gave up ourselves says nothing about the server, and a stop nothing that its start did not say.
  if (!signal.aborted && type === 'session_request') {
    await noteServer(apps, app, answer, now()).catch((error: unknown) =>
      log.error({ err: error, packageName: app.packageName }, 'an app server was not noted as up or down'),
    )
  }
  return answer.ok ? { ok: true } : answer
}
