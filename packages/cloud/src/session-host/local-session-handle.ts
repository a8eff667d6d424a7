import type {
  AddOutputBody,
  AppliedDeviceState,
  AppState,
  AudioFormat,
  ButtonPress,
  CalendarEntry,
  CloseFrame,
  ConnectedGlasses,
  DeviceReport,
  LiveSession,
  LocationFix,
  NotificationDismissal,
  PhoneNotification,
  PhotoResponse,
} from '@glasses-cloud/contract'
import type {
  AddOutputOutcome,
  AppSettings,
  OutputsOutcome,
  PhotoAnswer,
  PhotoClaimOutcome,
  RecentAudio,
  RemoveOutputOutcome,
  SessionActivity,
  StartOutcome,
  TranscriptAccess,
  TranscriptRange,
  UserSession,
} from '../session/index.ts'
import type { AppAddresses } from './app-addresses.ts'
import type { SessionApp } from './collaborators.ts'
import type { SessionHandle } from './session-handle.ts'
import type { StartingApps } from './starting-apps.ts'

/** A handle of a session in this process. An exception of a feature ends the session and rejects the call. */
export class LocalSessionHandle implements SessionHandle {
  readonly #session: UserSession

  readonly #starting: StartingApps
  readonly #addresses: AppAddresses

  constructor(session: UserSession, starting: StartingApps, addresses: AppAddresses) {
    this.#session = session
    this.#starting = starting
    this.#addresses = addresses
  }

  get userSessionId(): string {
    return this.#session.userSessionId
  }

  startApp(app: SessionApp): Promise<StartOutcome> {
    this.#starting.add(app, true)
    return new Promise((resolve) => this.#session.startApp(app.packageName, resolve))
  }

  stopApp(packageName: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#session.stopApp(packageName, 'user_disabled', (stored) => {
        if (stored) resolve()
        else reject(new Error('The stopped app could not be stored'))
      })
    })
  }

  async appState(): Promise<AppState> {
    return this.#session.appState
  }

  async overview(): Promise<LiveSession> {
    return this.#session.overview
  }

  async activity(): Promise<SessionActivity> {
    return this.#session.activity
  }

  async glasses(): Promise<ConnectedGlasses | null> {
    return this.#session.glasses
  }

  async appsChanged(): Promise<void> {
    this.#session.call((session) => session.broadcastAppState())
  }

  async claimPhoto(requestId: string, packageName?: string): Promise<PhotoClaimOutcome> {
    return this.#session.call(({ photos }) => photos.claim(requestId, packageName))
  }

  async rejectPhoto(requestId: string, packageName: string | undefined, reason: string): Promise<void> {
    this.#session.call(({ photos }) => photos.reject(requestId, packageName, reason))
  }

  async answerPhoto(packageName: string, answer: PhotoAnswer): Promise<void> {
    this.#session.call(({ photos }) => photos.answer(packageName, answer))
  }

  async photoResponse(response: PhotoResponse): Promise<void> {
    this.#session.call(({ photos }) => photos.respond(response))
  }

  async pressButton(press: ButtonPress): Promise<string | undefined> {
    return this.#session.call(({ buttons }) => buttons.press(press))
  }

  async isPhotoPending(requestId: string): Promise<boolean> {
    return this.#session.call(({ buttons }) => buttons.isPhotoPending(requestId))
  }

  async reportDevice(report: DeviceReport): Promise<AppliedDeviceState> {
    return this.#session.call(({ glassesDevice }) => glassesDevice.report(report))
  }

  async reportLocation(fix: LocationFix): Promise<void> {
    this.#session.call(({ location }) => location.report(fix))
  }

  async answerLocationPoll(correlationId: string, fix: LocationFix): Promise<boolean> {
    return this.#session.call(({ location }) => location.completePoll(correlationId, fix))
  }

  async reportCalendar(entries: readonly CalendarEntry[]): Promise<void> {
    this.#session.call(({ calendar }) => calendar.report(entries))
  }

  async notify(notification: PhoneNotification): Promise<void> {
    this.#session.call(({ notifications }) => notifications.notify(notification))
  }

  async notificationDismissed(dismissal: NotificationDismissal): Promise<void> {
    this.#session.call(({ notifications }) => notifications.dismiss(dismissal))
  }

  async reportDateTime(datetime: string): Promise<void> {
    this.#session.call(({ dateTime }) => dateTime.report(datetime))
  }

  addOutput(streamId: string, packageName: string, output: AddOutputBody): Promise<AddOutputOutcome> {
    return new Promise((done) =>
      this.#session.call(({ streams }) => streams.addOutput(streamId, packageName, output, done)),
    )
  }

  removeOutput(streamId: string, packageName: string, outputId: string): Promise<RemoveOutputOutcome> {
    return new Promise((done) =>
      this.#session.call(({ streams }) => streams.removeOutput(streamId, packageName, outputId, done)),
    )
  }

  outputs(streamId: string, packageName: string): Promise<OutputsOutcome> {
    return new Promise((done) =>
      this.#session.call(({ streams }) => streams.outputs(streamId, packageName, done)),
    )
  }

  osSettingsChanged(): Promise<void> {
    return new Promise((resolve) => this.#session.call(({ settings }) => settings.osChanged(resolve)))
  }

  appSettingsChanged(packageName: string): Promise<boolean> {
    return new Promise((resolve) =>
      this.#session.call(({ settings }) => settings.appChanged(packageName, resolve)),
    )
  }

  appSettings(packageName: string): Promise<AppSettings | undefined> {
    return new Promise((resolve, reject) => {
      if (!this.#session.hasApp(packageName)) return resolve(undefined)
      this.#session.call(({ settings }) =>
        settings.loadApp(packageName, (loaded) => {
          if (loaded.ok) resolve(loaded.value)
          else reject(new Error('The app settings could not be loaded'))
        }),
      )
    })
  }

  async hasApp(packageName: string): Promise<boolean> {
    return this.#session.hasApp(packageName)
  }

  async appAddress(packageName: string): Promise<string | undefined> {
    return this.#addresses.find(this.#session.userSessionId, packageName)
  }

  async end(frame: CloseFrame): Promise<void> {
    this.#session.end(frame)
  }

  async configureAudio(format: AudioFormat): Promise<boolean> {
    return this.#session.call(({ audio }) => audio.setFormat(format))
  }

  async soundUrl(requestId: string): Promise<string | undefined> {
    return this.#session.call(({ audioOutput }) => audioOutput.soundUrl(requestId))
  }

  async recentAudio(): Promise<RecentAudio> {
    return this.#session.call(({ audio }) => audio.recent())
  }

  async transcripts(
    packageName: string,
    language: string,
    range: TranscriptRange,
  ): Promise<TranscriptAccess> {
    return this.#session.call(({ transcription }) => transcription.transcripts(packageName, language, range))
  }
}
