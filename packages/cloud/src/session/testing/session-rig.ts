import {
  type ConnectedGlasses,
  OS_SETTING_DEFAULTS,
  type OsSettings,
  type Permission,
  PHONE_SETTING_DEFAULTS,
  type PhotoError,
} from '@glasses-cloud/contract'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { StartOutcome } from '../apps/app-launch.ts'
import type { AppMessaging } from '../parts/app-messages/port.ts'
import { Lifecycle } from '../parts/lifecycle.ts'
import type {
  AppDefinition,
  AppSettings,
  SessionPorts,
  StoreResult,
  WebhookCall,
  WebhookOutcome,
} from '../ports.ts'
import { UserSession, type UserSessionOptions } from '../user-session.ts'
import { RecordingPeer } from './recording-peer.ts'

/** App messaging without other users. */
export const isolatedAppMessaging: AppMessaging = {
  enter: () => {},
  leave: () => {},
  broadcast: (_from, _message, done) => done(),
  toRoom: (_from, _roomId, _message, done) => done(),
  direct: (_from, _userId, _message, done) =>
    done({ code: 'USER_NOT_REACHABLE', message: 'Nobody is there' }),
  joinRoom: (_from, _roomId, _options, done) => done(),
  leaveRoom: () => {},
}

/** A webhook call that the test has to answer. */
export interface PendingWebhook {
  readonly app: AppDefinition
  readonly call: WebhookCall & { readonly packageName: string }
  readonly timeoutMs: number
  respond(outcome?: WebhookOutcome): void
}

/** The connected glasses of a session, as its command returns them. */
export function glassesOf({ session }: SessionRig): ConnectedGlasses | null {
  return session.run('glasses', []) as ConnectedGlasses | null
}

/** A webhook response that rejects the call and allows a retry. */
export const REFUSED: WebhookOutcome = { ok: false, code: 'REFUSED_500', message: 'no', retryable: true }

export function createAppDefinition(packageName: string, over: Partial<AppDefinition> = {}): AppDefinition {
  return {
    id: packageName,
    packageName,
    name: packageName,
    publicUrl: 'https://app.test',
    settings: [],
    unreachableSince: null,
    appType: 'BACKGROUND',
    permissions: [{ type: 'MICROPHONE', description: '' } as Permission],
    permittedSince: {},
    hardwareRequirements: [],
    ...over,
  }
}

/**
 * A user session on a virtual clock. Its ports answer at the current time of the clock, except webhooks, which the test
 * answers. Rows are stored in maps; reads and writes fail while `isStoreAvailable` is false.
 */
export class SessionRig {
  readonly clock: VirtualClock
  readonly apps = new Map<string, AppDefinition>()
  readonly running = new Set<string>()
  readonly webhooks: PendingWebhook[] = []
  readonly events: string[] = []
  readonly session: UserSession
  readonly photoErrors: { readonly packageName: string; readonly error: PhotoError }[] = []
  endCount = 0
  /** Whether failures of the session are recorded. Otherwise they fail the test. */
  expectsFailure = false
  readonly failures: unknown[] = []
  /** The stored OS settings. */
  osSettings: OsSettings = OS_SETTING_DEFAULTS
  offlineMode = false
  appSettings: AppSettings = []
  isStoreAvailable = true
  /** The restored apps that did not start, and those that connected. */
  readonly failedRestores: string[] = []
  readonly restored: string[] = []
  /** Whether an app that does not start is given up for later sessions. */
  isLastRestore = false

  constructor(
    apps: readonly AppDefinition[] = [],
    {
      streaming,
      speech,
      appMessages = isolatedAppMessaging,
      clock = new VirtualClock(),
      ...options
    }: Partial<Omit<UserSessionOptions, 'clock'>> &
      Partial<Pick<SessionPorts, 'streaming' | 'speech' | 'appMessages'>> & {
        readonly clock?: VirtualClock
      } = {},
  ) {
    this.clock = clock
    for (const app of apps) this.apps.set(app.packageName, app)
    for (const { packageName } of options.runningApps ?? []) this.running.add(packageName)
    this.session = new UserSession({
      userSessionId: 'us1',
      userEmail: 'a-b@example.com',
      runningApps: [],
      isResumed: false,
      phoneSettings: PHONE_SETTING_DEFAULTS,
      systemPackage: 'system.dashboard',
      clock: this.clock,
      random: () => 0.5,
      log: (event) => this.events.push(event),
      ports: { ...this.#ports(), streaming, speech, appMessages },
      ...options,
    })
  }

  connectGlasses(name = 'glasses'): RecordingPeer {
    const peer = new RecordingPeer(name)
    peer.onClose = () => this.session.detachGlasses(peer)
    this.session.attachGlasses(peer)
    return peer
  }

  /** Connects and acknowledges an app. @returns undefined if the session rejects it */
  connectApp(packageName: string): RecordingPeer | undefined {
    const peer = this.#attach(packageName)
    this.flush()
    return peer
  }

  /** Connects an app that is acknowledged by the next `flush`. */
  connectAppUnacknowledged(packageName: string): RecordingPeer {
    const peer = this.#attach(packageName)
    if (!peer) throw new Error(`${packageName} was rejected`)
    return peer
  }

  /** Starts an app: its webhook is answered and its socket connected. */
  runApp(packageName: string): RecordingPeer {
    const outcome = this.startApp(packageName)
    const peer = this.connectApp(packageName)
    this.answerWebhooks('session_request')
    if (!peer || !outcome.value?.ok) throw new Error(`${packageName} did not start`)
    return peer
  }

  /** Starts an app. `value` is set when the start is complete. */
  startApp(packageName: string): { value?: StartOutcome } {
    const outcome: { value?: StartOutcome } = {}
    this.session.part(Lifecycle).startApp(packageName, (value) => {
      outcome.value = value
    })
    this.flush()
    return outcome
  }

  /** Stops an app. `value` is set to whether the stop is stored. */
  stopApp(packageName: string): { value?: boolean } {
    const stored: { value?: boolean } = {}
    this.session.part(Lifecycle).stopApp(packageName, 'user_disabled', (value) => {
      stored.value = value
    })
    this.flush()
    return stored
  }

  /** Sends a subscription list from an app. */
  subscribe(peer: RecordingPeer, ...subscriptions: string[]): void {
    this.session.handleAppMessage(peer.name, peer, { type: 'subscription_update', subscriptions })
  }

  /** Answers the pending webhook calls of a type. @returns the calls */
  answerWebhooks(
    type: WebhookCall['type'],
    outcome: WebhookOutcome = { ok: true },
  ): PendingWebhook['call'][] {
    const answered = this.webhooks.filter(({ call }) => call.type === type)
    for (const webhook of answered) {
      this.webhooks.splice(this.webhooks.indexOf(webhook), 1)
      webhook.respond(outcome)
    }
    this.flush()
    return answered.map(({ call }) => call)
  }

  /** Runs the timers that are due now, among them the results of ports. */
  flush(): void {
    this.clock.advance(0)
  }

  #attach(packageName: string): RecordingPeer | undefined {
    const peer = new RecordingPeer(packageName)
    peer.onClose = () => this.session.detachApp(packageName, peer)
    const app = this.apps.get(packageName) ?? createAppDefinition(packageName)
    return this.session.attachApp(peer, app) ? peer : undefined
  }

  #ports(): Omit<SessionPorts, 'streaming' | 'speech' | 'appMessages'> {
    // Ports never call back synchronously.
    const respondLater = <Value>(done: (outcome: StoreResult<Value>) => void, value: () => Value) => {
      const isAvailable = this.isStoreAvailable
      this.clock.after(0, () => done(isAvailable ? { ok: true, value: value() } : { ok: false }))
    }
    return {
      loadApp: (packageName, requested, done) =>
        respondLater(done, () => requested ?? this.apps.get(packageName)),
      saveRunningApp: ({ packageName }, _, done) =>
        respondLater(done, () => void this.running.add(packageName)),
      deleteRunningApp: (packageName, done) =>
        respondLater(done, () => void this.running.delete(packageName)),
      restoreFailed: (packageName, done) =>
        respondLater(done, () => {
          this.failedRestores.push(packageName)
          return this.isLastRestore
        }),
      restoreSucceeded: (packageName) => void this.restored.push(packageName),
      loadAppSettings: (_, done) => respondLater(done, () => this.appSettings),
      loadPhoneSettings: (done) =>
        respondLater(done, () => ({ os: this.osSettings, offlineMode: this.offlineMode })),
      saveOsSettings: (changes, done) =>
        respondLater(done, () => {
          this.osSettings = { ...this.osSettings, ...changes }
          return undefined
        }),
      acceptFirstUse: () => {},
      callWebhook: (app, call, timeoutMs, done) => {
        const webhook = {
          app,
          call: { ...call, packageName: app.packageName },
          timeoutMs,
          respond: (outcome: WebhookOutcome = { ok: true }) => done(outcome),
        }
        this.webhooks.push(webhook)
      },
      createPhotoTarget: (packageName, requestId) => ({
        webhookUrl: 'http://cloud.test/upload',
        authToken: `${packageName} ${requestId}`,
      }),
      toPhoneUrl: (address) => address.replace(/^https:(?=\/\/cloud\.test\/)/, 'http:'),
      reportPhotoError: (packageName, error) => void this.photoErrors.push({ packageName, error }),
      sessionFailed: (error) => {
        if (!this.expectsFailure) throw error
        this.failures.push(error)
      },
      overviewChanged: () => {},
      glassesChanged: () => {},
      sessionEnded: () => {
        this.endCount += 1
      },
    }
  }
}
