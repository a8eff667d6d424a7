/**
 * The times a session keeps, in milliseconds. Sources: interface specification ("Limits"), app socket protocol
 * (1.6, 2.7) and glasses socket protocol (1.8, 2.3.2, 2.6.4).
 */
export interface SessionTiming {
  /** How long a session outlives its last glasses socket. */
  readonly glassesGraceMs: number
  /** The whole of an app start: webhook, socket, authentication, stored. */
  readonly appStartTimeoutMs: number
  /** How long an app may be without its socket before it is started anew. */
  readonly appReconnectGraceMs: number
  /** Waits before each attempt to start a lost app anew; after the last attempt it counts as stopped. */
  readonly restartBackoffMs: readonly number[]
  readonly stopWebhookTimeoutMs: number
  /** An empty subscription list this soon after an acknowledgement is provisional. */
  readonly emptySubscriptionsGraceMs: number
  readonly displayIntervalMs: number
  readonly bootScreenMs: number
  readonly displayLockMs: number
  readonly displayLockIdleMs: number
  readonly microphoneDebounceMs: number
  readonly microphoneOffDelayMs: number
  readonly microphoneKeepAliveMs: number
  readonly unwantedAudioReplyIntervalMs: number
  /** How long an app waits for a photo; the app SDK gives up after 30 seconds, and is to hear the reason before. */
  readonly photoTimeoutMs: number
  /** How long an app waits for the end of a sound; the app SDK gives up after 60 seconds, and is to hear the reason before. */
  readonly audioPlayTimeoutMs: number
  /** How long an app waits to hear how a light command went. */
  readonly ledControlTimeoutMs: number
  /** How long an app waits to hear where the wearer is; the app SDK gives up after 15 seconds. */
  readonly locationPollTimeoutMs: number
  /** How long the phone goes on following the wearer as closely as before when less is asked for. */
  readonly locationTierLowerDelayMs: number
  /** Between two keep-alives of a stream; glasses stop by themselves after a minute without one. */
  readonly streamKeepAliveIntervalMs: number
  /** How long glasses have to answer a keep-alive. */
  readonly streamAckTimeoutMs: number
  /** From the request for a managed stream until it can be watched. */
  readonly streamStartTimeoutMs: number
  /** Between two questions whether a stream can be watched. */
  readonly playbackPollIntervalMs: number
  /** Waits before each question how the outputs of a stream stand, while one of them is on its way; the last repeats. */
  readonly outputPollIntervalsMs: readonly number[]
  /** An answer about outputs this young is good enough for whoever looks. */
  readonly outputCacheMs: number
  /** Between two attempts to remove the outputs of an app that left. */
  readonly outputRetryDelayMs: number
}

/** The times of a running cloud, milliseconds. */
export const DEFAULT_TIMING: SessionTiming = {
  glassesGraceMs: 60_000,
  appStartTimeoutMs: 5_000,
  appReconnectGraceMs: 5_000,
  restartBackoffMs: [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000],
  stopWebhookTimeoutMs: 5_000,
  emptySubscriptionsGraceMs: 8_000,
  displayIntervalMs: 200,
  bootScreenMs: 1_500,
  displayLockMs: 10_000,
  displayLockIdleMs: 2_000,
  microphoneDebounceMs: 1_000,
  microphoneOffDelayMs: 3_000,
  microphoneKeepAliveMs: 10_000,
  unwantedAudioReplyIntervalMs: 5_000,
  photoTimeoutMs: 28_000,
  audioPlayTimeoutMs: 55_000,
  ledControlTimeoutMs: 30_000,
  locationPollTimeoutMs: 14_000,
  locationTierLowerDelayMs: 15_000,
  streamKeepAliveIntervalMs: 15_000,
  streamAckTimeoutMs: 10_000,
  streamStartTimeoutMs: 60_000,
  playbackPollIntervalMs: 2_000,
  outputPollIntervalsMs: [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
  outputCacheMs: 2_000,
  outputRetryDelayMs: 10_000,
}
