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
} from '../session/index.ts'
import type { SessionApp } from './collaborators.ts'

/**
 * A live user session as the rest of the cloud sees it, on whichever node it runs. Every method is asynchronous and
 * exchanges plain data only, so the session may run in another process.
 */
export interface SessionHandle {
  readonly userSessionId: string
  /** Starts an app that the user may see; resolves once the app is connected and the start is stored, or it failed (decision C8). */
  startApp(app: SessionApp): Promise<StartOutcome>
  /** Stops an app; resolves once the stop is stored. Does nothing if the app is not running (decision C9). */
  stopApp(packageName: string): Promise<void>
  appState(): Promise<AppState>
  /** Returns the session as web pages show it. */
  overview(): Promise<LiveSession>
  /** Returns what is connected to the session. */
  activity(): Promise<SessionActivity>
  /** Returns the connected glasses, or null if no known device is connected (decision C6). */
  glasses(): Promise<ConnectedGlasses | null>
  /** Sends `app_state_change` to the glasses because the list of installed apps changed. */
  appsChanged(): Promise<void>
  /** Claims the photo request that an uploaded photo responds to; each request can be claimed once. */
  claimPhoto(requestId: string, packageName?: string): Promise<PhotoClaimOutcome>
  /** Reports to the requesting app that its photo was received but rejected. */
  rejectPhoto(requestId: string, packageName: string | undefined, reason: string): Promise<void>
  /** Sends the result of a claimed photo request on the socket of the app. */
  answerPhoto(packageName: string, answer: PhotoAnswer): Promise<void>
  /** Forwards the phone's result of a photo request. */
  photoResponse(response: PhotoResponse): Promise<void>
  /** Delivers a button press; resolves with the id of the photo to take if no app subscribes to the press. */
  pressButton(press: ButtonPress): Promise<string | undefined>
  /** Returns whether a photo that was requested by a button press is still pending. */
  isPhotoPending(requestId: string): Promise<boolean>
  /** Applies a full or partial report of the state of the glasses. */
  reportDevice(report: DeviceReport): Promise<AppliedDeviceState>
  /** Publishes the location of the phone. */
  reportLocation(fix: LocationFix): Promise<void>
  /** Resolves a location poll with the phone's location; returns false if the poll is not pending. */
  answerLocationPoll(correlationId: string, fix: LocationFix): Promise<boolean>
  /** Publishes calendar entries of the phone. */
  reportCalendar(entries: readonly CalendarEntry[]): Promise<void>
  /** Publishes a notification of the phone. */
  notify(notification: PhoneNotification): Promise<void>
  /** Publishes the dismissal of a notification of the phone. */
  notificationDismissed(dismissal: NotificationDismissal): Promise<void>
  /** Sets the phone's local time, ISO 8601. */
  reportDateTime(datetime: string): Promise<void>
  /** Adds an output to a managed stream of the session, within the limits of decision M4. */
  addOutput(streamId: string, packageName: string, output: AddOutputBody): Promise<AddOutputOutcome>
  /** Removes an output that the app added. */
  removeOutput(streamId: string, packageName: string, outputId: string): Promise<RemoveOutputOutcome>
  /** Lists the outputs of a managed stream that the app views. */
  outputs(streamId: string, packageName: string): Promise<OutputsOutcome>
  /** Reloads the stored OS settings; resolves once they are sent to the apps. */
  osSettingsChanged(): Promise<void>
  /** Reloads the user's stored settings of an app; resolves with whether they were sent to its socket. */
  appSettingsChanged(packageName: string): Promise<boolean>
  /** Returns the user's settings of an app, or undefined if the app is not in the session. */
  appSettings(packageName: string): Promise<AppSettings | undefined>
  /** Returns whether the app is in the session, in any phase including stopping. */
  hasApp(packageName: string): Promise<boolean>
  /** Returns the network address of the app's live socket, if any (SET-18). */
  appAddress(packageName: string): Promise<string | undefined>
  /** Ends the session: stops its apps and closes the glasses socket with the code. */
  end(frame: CloseFrame): Promise<void>
  /** Sets the format of binary audio frames; returns false if no glasses are connected. */
  configureAudio(format: AudioFormat): Promise<boolean>
  /** Returns the URL of a pending playback of the session by the `requestId` that its glasses received. */
  soundUrl(requestId: string): Promise<string | undefined>
  /** Returns the last seconds of audio (decision M1). */
  recentAudio(): Promise<RecentAudio>
  /** Returns transcript segments of a language for an app of the session (decision M3). */
  transcripts(packageName: string, language: string, range: TranscriptRange): Promise<TranscriptAccess>
}

/** Finds live user sessions, on any node. Users are identified by their opaque id. */
export interface SessionDirectory {
  find(userId: string): Promise<SessionHandle | undefined>
  findBySessionId(userSessionId: string): Promise<SessionHandle | undefined>
  /** Reloads a changed app in the live sessions of this node that run it; other nodes notice the change themselves. */
  appChanged(packageName: string): Promise<void>
}
