import type {
  AppliedDeviceState,
  AppState,
  AudioFormat,
  ButtonPress,
  CalendarEntry,
  Capabilities,
  DeviceReport,
  LocationFix,
  NewOutput,
  NotificationDismissal,
  PhoneNotification,
  PhotoResponse,
} from '@glasses-cloud/contract'
import type {
  AddOutputOutcome,
  AppSettings,
  OutputsOutcome,
  PhotoClaimOutcome,
  RecentAudio,
  RemoveOutputOutcome,
  StartOutcome,
  TranscriptAccess,
  TranscriptRange,
} from '../session/index.ts'

/**
 * A live user session as the rest of the cloud sees it, wherever it lives. Every method is asynchronous and
 * takes and gives plain data, so that the session may as well live in another process.
 */
export interface SessionHandle {
  readonly userSessionId: string
  /** Starts an app; resolves once its socket is authenticated and the start is stored, or it failed (C8). */
  startApp(packageName: string): Promise<StartOutcome>
  /** Stops an app; resolves when the stop is stored. Stopping what does not run is no error (C9). */
  stopApp(packageName: string): Promise<void>
  appState(): Promise<AppState>
  /** Profile of the connected glasses; null while no known device is connected (C6). */
  capabilities(): Promise<Capabilities | null>
  /** Tells glasses that the list of installed apps changed (`app_state_change`). */
  appsChanged(): Promise<void>
  /** A photo came; whoever claims its request gets it, once. */
  claimPhoto(requestId: string, packageName?: string): Promise<PhotoClaimOutcome>
  /** A photo came and was refused; the app that asked for it is told. */
  refusePhoto(requestId: string, packageName: string | undefined, reason: string): Promise<void>
  /** The phone says how a photo request ended. */
  photoResponse(response: PhotoResponse): Promise<void>
  /** A button was pressed; resolves with the id of the photo to take, where no app has the press. */
  pressButton(press: ButtonPress): Promise<string | undefined>
  /** Whether a photo that a button asked for is still to be taken. */
  isPhotoPending(requestId: string): Promise<boolean>
  /** The phone reports the state of the glasses, or what changed of it. */
  reportDevice(report: DeviceReport): Promise<AppliedDeviceState>
  /** The phone says where the wearer is. */
  reportLocation(fix: LocationFix): Promise<void>
  /** The phone answers a question where the wearer is; resolves with whether anybody still waited. */
  answerLocationPoll(correlationId: string, fix: LocationFix): Promise<boolean>
  /** The phone reports entries of its calendar. */
  reportCalendar(entries: readonly CalendarEntry[]): Promise<void>
  /** A notification came up on the phone. */
  notify(notification: PhoneNotification): Promise<void>
  /** A notification is gone from the phone. */
  notificationDismissed(dismissal: NotificationDismissal): Promise<void>
  /** The phone says what time it is, ISO 8601. */
  reportDateTime(datetime: string): Promise<void>
  /** Sends a managed stream of the session on to a further address; limits and duplicates hold (M4). */
  addOutput(streamId: string, packageName: string, output: NewOutput): Promise<AddOutputOutcome>
  /** Removes an output for the app that added it. */
  removeOutput(streamId: string, packageName: string, outputId: string): Promise<RemoveOutputOutcome>
  /** The outputs of a managed stream, for an app that views it. */
  outputs(streamId: string, packageName: string): Promise<OutputsOutcome>
  /** OS settings may have changed where they are stored; resolves when the apps know them. */
  osSettingsChanged(): Promise<void>
  /** The user's settings of an app changed where they are stored; resolves with whether its socket was sent them. */
  appSettingsChanged(packageName: string): Promise<boolean>
  /** The user's settings of an app; nothing if the app is not in the session. */
  appSettings(packageName: string): Promise<AppSettings | undefined>
  /** Whether the app is in the session in any phase, one that is being stopped included. */
  hosts(packageName: string): Promise<boolean>
  /** Ends the session for good: apps are told, and the glasses' socket is closed with this code. */
  end(code: number, reason: string): Promise<void>
  /** The phone says what its binary frames hold; resolves with whether there is a connection it counts for. */
  configureAudio(format: AudioFormat): Promise<boolean>
  /** The last seconds of sound (M1). */
  recentAudio(): Promise<RecentAudio>
  /** What was said in a language, for an app of the session (M3). */
  transcripts(packageName: string, language: string, range: TranscriptRange): Promise<TranscriptAccess>
}

/** Finds the one process-wide owner of a user's live state. Users are named by their opaque id. */
export interface SessionDirectory {
  find(userId: string): Promise<SessionHandle | undefined>
  /** The live session that app session ids begin with. */
  findBySessionId(userSessionId: string): Promise<SessionHandle | undefined>
  /** Lets every live session that runs the app go on with the app as it is stored now. */
  appChanged(packageName: string): Promise<void>
}
