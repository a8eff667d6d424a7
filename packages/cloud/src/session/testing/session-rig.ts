import { type OsSettings, osSettingDefaults, type Permission, type PhotoError } from '@glasses-cloud/contract'
import type { StartOutcome } from '../apps/start-outcome.ts'
import type {
  AppDefinition,
  AppSettings,
  SessionPorts,
  Stored,
  WebhookCall,
  WebhookOutcome,
} from '../ports.ts'
import { UserSession, type UserSessionOptions } from '../user-session.ts'
import { nobodyElse } from './nobody-else.ts'
import { RecordingPeer } from './recording-peer.ts'
import { VirtualClock } from './virtual-clock.ts'

/** A webhook call that waits for the test to answer it. */
export interface PendingWebhook {
  readonly call: WebhookCall
  readonly timeoutMs: number
  answer(outcome?: WebhookOutcome): void
}

/** An app server that refuses, and may be asked again. */
export const REFUSED: WebhookOutcome = { ok: false, code: 'REFUSED_500', message: 'no', retryable: true }

/** Defines an app for a rig. */
export function appOf(packageName: string, over: Partial<AppDefinition> = {}): AppDefinition {
  return {
    packageName,
    name: packageName,
    appType: 'BACKGROUND',
    permissions: [{ type: 'MICROPHONE', description: '' } as Permission],
    hardwareRequirements: [],
    ...over,
  }
}

/**
 * A user session on a virtual clock with ports that answer at once, except for webhooks, which wait for the test.
 * Rows are maps; `storeWorks` makes them fail.
 */
export class SessionRig {
  readonly clock = new VirtualClock()
  readonly apps = new Map<string, AppDefinition>()
  readonly running = new Set<string>()
  readonly webhooks: PendingWebhook[] = []
  readonly events: string[] = []
  readonly session: UserSession
  /** What apps were told of photos that will not come. */
  readonly photoErrors: { readonly packageName: string; readonly error: PhotoError }[] = []
  endings = 0
  /** The settings as they are stored. */
  osSettings: OsSettings = osSettingDefaults
  appSettings: AppSettings = []
  storeWorks = true

  constructor(
    apps: readonly AppDefinition[] = [],
    {
      streaming,
      appMessages = nobodyElse,
      ...options
    }: Partial<UserSessionOptions> & Partial<Pick<SessionPorts, 'streaming' | 'appMessages'>> = {},
  ) {
    for (const app of apps) this.apps.set(app.packageName, app)
    for (const { packageName } of options.running ?? []) this.running.add(packageName)
    this.session = new UserSession({
      userSessionId: 'us1',
      userId: 'a-b@example.com',
      running: [],
      resumed: false,
      osSettings: osSettingDefaults,
      systemPackage: 'system.dashboard',
      clock: this.clock,
      random: () => 0.5,
      log: (event) => this.events.push(event),
      ports: { ...this.#ports(), streaming, appMessages },
      ...options,
    })
  }

  /** Connects glasses. */
  glasses(name = 'glasses'): RecordingPeer {
    const peer = new RecordingPeer(name)
    peer.onClose = () => this.session.detachGlasses(peer)
    this.session.attachGlasses(peer)
    return peer
  }

  /** Connects an app; undefined if it was not taken. */
  connect(packageName: string): RecordingPeer | undefined {
    const peer = this.#attach(packageName)
    this.settle()
    return peer
  }

  /** Connects an app that gets its acknowledgement with the next `settle`. */
  connectLater(packageName: string): RecordingPeer {
    const peer = this.#attach(packageName)
    if (!peer) throw new Error(`${packageName} was not taken`)
    return peer
  }

  /** Starts an app whose server works: webhook answered, socket connected. */
  run(packageName: string): RecordingPeer {
    const outcome = this.start(packageName)
    const peer = this.connect(packageName)
    this.takeWebhooks('session_request')
    if (!peer || !outcome.value?.ok) throw new Error(`${packageName} did not start`)
    return peer
  }

  /** Starts an app; `value` holds the outcome once there is one. */
  start(packageName: string): { value?: StartOutcome } {
    const outcome: { value?: StartOutcome } = {}
    this.session.startApp(packageName, (value) => {
      outcome.value = value
    })
    this.settle()
    return outcome
  }

  /** Stops an app; `value` says whether that is stored. */
  stop(packageName: string): { value?: boolean } {
    const stored: { value?: boolean } = {}
    this.session.stopApp(packageName, 'user_disabled', (value) => {
      stored.value = value
    })
    this.settle()
    return stored
  }

  /** An app gives its subscription list. */
  subscribe(peer: RecordingPeer, ...subscriptions: string[]): void {
    this.session.fromApp(peer.name, peer, { type: 'subscription_update', subscriptions })
  }

  /** Takes the webhook calls of a type that wait, and answers them well. */
  takeWebhooks(type: WebhookCall['type'], outcome: WebhookOutcome = { ok: true }): WebhookCall[] {
    const taken = this.webhooks.filter(({ call }) => call.type === type)
    for (const webhook of taken) {
      this.webhooks.splice(this.webhooks.indexOf(webhook), 1)
      webhook.answer(outcome)
    }
    this.settle()
    return taken.map(({ call }) => call)
  }

  /** Lets what is due now happen: answers of the ports. */
  settle(): void {
    this.clock.advance(0)
  }

  #attach(packageName: string): RecordingPeer | undefined {
    const peer = new RecordingPeer(packageName)
    peer.onClose = () => this.session.detachApp(packageName, peer)
    const app = this.apps.get(packageName) ?? appOf(packageName)
    return this.session.attachApp(peer, app) ? peer : undefined
  }

  #ports(): Omit<SessionPorts, 'streaming' | 'appMessages'> {
    // Answers come later, never within the call, as the ports promise.
    const soon = <Value>(done: (outcome: Stored<Value>) => void, value: () => Value) => {
      const works = this.storeWorks
      this.clock.after(0, () => done(works ? { ok: true, value: value() } : { ok: false }))
    }
    return {
      loadApp: (packageName, done) => soon(done, () => this.apps.get(packageName)),
      saveRunning: (packageName, _, done) => soon(done, () => void this.running.add(packageName)),
      clearRunning: (packageName, done) => soon(done, () => void this.running.delete(packageName)),
      loadAppSettings: (_, done) => soon(done, () => this.appSettings),
      loadOsSettings: (done) => soon(done, () => this.osSettings),
      saveOsSettings: (changes, done) =>
        soon(done, () => {
          this.osSettings = { ...this.osSettings, ...changes }
          return undefined
        }),
      callWebhook: (call, timeoutMs, done) => {
        const webhook = { call, timeoutMs, answer: (outcome: WebhookOutcome = { ok: true }) => done(outcome) }
        this.webhooks.push(webhook)
      },
      photoTarget: (packageName, requestId) => ({
        webhookUrl: 'http://cloud.test/upload',
        authToken: `${packageName} ${requestId}`,
      }),
      reachable: (address) => address.replace(/^https:(?=\/\/cloud\.test\/)/, 'http:'),
      failPhoto: (packageName, error) => void this.photoErrors.push({ packageName, error }),
      ended: () => {
        this.endings += 1
      },
    }
  }
}
