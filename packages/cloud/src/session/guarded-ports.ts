import type { OsSettingChanges, PhoneSettings, PhotoError } from '@glasses-cloud/contract'
import type {
  AppMember,
  AppMessage,
  AppMessaging,
  MessagingDone,
  RoomOptions,
} from './parts/app-messages/port.ts'
import type {
  SessionSpeech,
  SpeechListener,
  SpeechOptions,
  SpeechProvider,
  SpeechStream,
  TranslationRequest,
  TranslationResult,
} from './parts/speech/port.ts'
import type {
  LiveInput,
  OutputReport,
  OutputReservation,
  SessionStreaming,
  StreamingResult,
} from './parts/video/port.ts'
import type {
  AppDefinition,
  AppSettings,
  PhotoTarget,
  SessionPorts,
  StoreResult,
  WebhookCall,
  WebhookOutcome,
} from './ports.ts'

/** Runs a task and contains its exceptions. */
export type Guard = (task: () => void) => void

/** The ports of a session whose callbacks run under the guard of the session. */
export class GuardedPorts implements SessionPorts {
  readonly appMessages: AppMessaging
  readonly streaming?: SessionStreaming
  readonly speech?: SessionSpeech
  readonly streamingProblem?: string
  readonly #ports: SessionPorts
  readonly #guard: Guard

  constructor(ports: SessionPorts, guard: Guard) {
    this.#ports = ports
    this.#guard = guard
    this.appMessages = new GuardedMessaging(ports.appMessages, guard)
    if (ports.streamingProblem !== undefined) this.streamingProblem = ports.streamingProblem
    if (ports.streaming) this.streaming = new GuardedStreaming(ports.streaming, guard)
    if (ports.speech) this.speech = new GuardedSpeech(ports.speech, guard)
  }

  loadApp(packageName: string, done: (app: StoreResult<AppDefinition | undefined>) => void): void {
    this.#ports.loadApp(packageName, (app) => this.#guard(() => done(app)))
  }

  callWebhook(call: WebhookCall, timeoutMs: number, done: (outcome: WebhookOutcome) => void): void {
    this.#ports.callWebhook(call, timeoutMs, (outcome) => this.#guard(() => done(outcome)))
  }

  saveRunningApp(packageName: string, since: number, done: (stored: StoreResult) => void): void {
    this.#ports.saveRunningApp(packageName, since, (stored) => this.#guard(() => done(stored)))
  }

  deleteRunningApp(packageName: string, done: (stored: StoreResult) => void): void {
    this.#ports.deleteRunningApp(packageName, (stored) => this.#guard(() => done(stored)))
  }

  loadAppSettings(packageName: string, done: (settings: StoreResult<AppSettings>) => void): void {
    this.#ports.loadAppSettings(packageName, (settings) => this.#guard(() => done(settings)))
  }

  loadPhoneSettings(done: (settings: StoreResult<PhoneSettings>) => void): void {
    this.#ports.loadPhoneSettings((settings) => this.#guard(() => done(settings)))
  }

  saveOsSettings(changes: OsSettingChanges, done: (stored: StoreResult) => void): void {
    this.#ports.saveOsSettings(changes, (stored) => this.#guard(() => done(stored)))
  }

  createPhotoTarget(packageName: string, requestId: string): PhotoTarget {
    return this.#ports.createPhotoTarget(packageName, requestId)
  }

  toPhoneUrl(url: string): string {
    return this.#ports.toPhoneUrl(url)
  }

  reportPhotoError(packageName: string, error: PhotoError): void {
    this.#ports.reportPhotoError(packageName, error)
  }

  overviewChanged(): void {
    this.#ports.overviewChanged()
  }

  sessionFailed(error: unknown): void {
    this.#ports.sessionFailed(error)
  }

  sessionEnded(): void {
    this.#ports.sessionEnded()
  }
}

class GuardedMessaging implements AppMessaging {
  readonly #messaging: AppMessaging
  readonly #guard: Guard

  constructor(messaging: AppMessaging, guard: Guard) {
    this.#messaging = messaging
    this.#guard = guard
  }

  enter(member: AppMember): void {
    this.#messaging.enter(member)
  }

  leave(member: AppMember): void {
    this.#messaging.leave(member)
  }

  broadcast(from: AppMember, message: AppMessage, done: MessagingDone): void {
    this.#messaging.broadcast(from, message, (rejection) => this.#guard(() => done(rejection)))
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    this.#messaging.toRoom(from, roomId, message, (rejection) => this.#guard(() => done(rejection)))
  }

  direct(from: AppMember, userEmail: string, message: AppMessage, done: MessagingDone): void {
    this.#messaging.direct(from, userEmail, message, (rejection) => this.#guard(() => done(rejection)))
  }

  joinRoom(from: AppMember, roomId: string, options: RoomOptions, done: MessagingDone): void {
    this.#messaging.joinRoom(from, roomId, options, (rejection) => this.#guard(() => done(rejection)))
  }

  leaveRoom(from: AppMember, roomId: string): void {
    this.#messaging.leaveRoom(from, roomId)
  }
}

class GuardedStreaming implements SessionStreaming {
  readonly #streaming: SessionStreaming
  readonly #guard: Guard

  constructor(streaming: SessionStreaming, guard: Guard) {
    this.#streaming = streaming
    this.#guard = guard
  }

  get notice(): string | undefined {
    return this.#streaming.notice
  }

  createInput(done: (result: StreamingResult<LiveInput>) => void): void {
    this.#streaming.createInput((result) => this.#guard(() => done(result)))
  }

  deleteInput(inputId: string): void {
    this.#streaming.deleteInput(inputId)
  }

  isReady(inputId: string, done: (result: StreamingResult<boolean>) => void): void {
    this.#streaming.isReady(inputId, (result) => this.#guard(() => done(result)))
  }

  addOutput(inputId: string, url: string, done: (result: StreamingResult<string>) => void): void {
    this.#streaming.addOutput(inputId, url, (result) => this.#guard(() => done(result)))
  }

  removeOutput(inputId: string, outputId: string, done: (result: StreamingResult) => void): void {
    this.#streaming.removeOutput(inputId, outputId, (result) => this.#guard(() => done(result)))
  }

  listOutputs(inputId: string, done: (result: StreamingResult<readonly OutputReport[]>) => void): void {
    this.#streaming.listOutputs(inputId, (result) => this.#guard(() => done(result)))
  }

  watchOutputs(inputId: string, changed: () => void): () => void {
    return this.#streaming.watchOutputs(inputId, () => this.#guard(changed))
  }

  streamOpened(streamId: string): void {
    this.#streaming.streamOpened(streamId)
  }

  streamClosed(streamId: string): void {
    this.#streaming.streamClosed(streamId)
  }

  reserveOutputs(packageName: string, count: number, done: (reservation: OutputReservation) => void): void {
    this.#streaming.reserveOutputs(packageName, count, (reservation) => this.#guard(() => done(reservation)))
  }
}

class GuardedSpeech implements SessionSpeech {
  readonly providers: readonly SpeechProvider[]
  readonly translate?: NonNullable<SessionSpeech['translate']>
  readonly #speech: SessionSpeech

  constructor(speech: SessionSpeech, guard: Guard) {
    this.#speech = speech
    this.providers = speech.providers.map((provider) => new GuardedSpeechProvider(provider, guard))
    const { translate } = speech
    if (translate) {
      this.translate = (request: TranslationRequest, done: (result: TranslationResult) => void) =>
        translate(request, (result) => guard(() => done(result)))
    }
  }

  get maxStreamsPerUser(): number {
    return this.#speech.maxStreamsPerUser
  }

  reserveStream(): (() => void) | undefined {
    return this.#speech.reserveStream()
  }

  recordDelay(provider: string, ms: number): void {
    this.#speech.recordDelay(provider, ms)
  }

  recordFailover(from: string): void {
    this.#speech.recordFailover(from)
  }
}

class GuardedSpeechProvider implements SpeechProvider {
  readonly name: string
  readonly translates: boolean
  readonly finalizeTimeoutMs: number
  readonly #provider: SpeechProvider
  readonly #guard: Guard

  constructor(provider: SpeechProvider, guard: Guard) {
    this.name = provider.name
    this.translates = provider.translates
    this.finalizeTimeoutMs = provider.finalizeTimeoutMs
    this.#provider = provider
    this.#guard = guard
  }

  get isRejected(): boolean {
    return this.#provider.isRejected
  }

  supports(language: string): boolean {
    return this.#provider.supports(language)
  }

  open(options: SpeechOptions, listener: SpeechListener): SpeechStream {
    return this.#provider.open(options, {
      ready: () => this.#guard(() => listener.ready()),
      segment: (segment) => this.#guard(() => listener.segment(segment)),
      finalized: () => this.#guard(() => listener.finalized()),
      failed: (failure) => this.#guard(() => listener.failed(failure)),
    })
  }
}
