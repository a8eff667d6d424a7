/**
 * The times a session keeps, in milliseconds. Sources: interface specification ("Limits"), app socket protocol
 * (1.6, 2.7) and glasses socket protocol (1.8, 2.3.2, 2.6.4).
 */
export interface SessionTiming {
  /** How long a session outlives its last glasses socket. */
  readonly glassesGrace: number
  /** The whole of an app start: webhook, socket, authentication, stored. */
  readonly appStart: number
  /** How long an app may be without its socket before it is started anew. */
  readonly appReconnectGrace: number
  /** Waits before each attempt to start a lost app anew; after the last attempt it counts as stopped. */
  readonly restartBackoff: readonly number[]
  readonly stopWebhook: number
  /** An empty subscription list this soon after an acknowledgement is provisional. */
  readonly emptySubscriptions: number
  readonly displayInterval: number
  readonly bootScreen: number
  readonly displayLock: number
  readonly displayLockIdle: number
  readonly microphoneDebounce: number
  readonly microphoneOffHold: number
  readonly microphoneKeepAlive: number
  readonly unwantedAudioIgnored: number
  /** How long an app waits for a photo; the app SDK gives up after 30 seconds, and is to hear the reason before. */
  readonly photo: number
  /** How long an app waits for the end of a sound; the app SDK gives up after 60 seconds, and is to hear the reason before. */
  readonly audioPlay: number
  /** How long an app waits to hear how a light command went. */
  readonly ledControl: number
  /** How long an app waits to hear where the wearer is; the app SDK gives up after 15 seconds. */
  readonly locationPoll: number
  /** How long the phone goes on following the wearer as closely as before when less is asked for. */
  readonly locationTierHold: number
  /** Between two keep-alives of a stream; glasses stop by themselves after a minute without one. */
  readonly streamKeepAlive: number
  /** How long glasses have to answer a keep-alive. */
  readonly streamAck: number
  /** From the request for a managed stream until it can be watched. */
  readonly streamStart: number
  /** Between two questions whether a stream can be watched. */
  readonly playbackPoll: number
  /** Waits before each question how the outputs of a stream stand, while one of them is on its way; the last repeats. */
  readonly outputPolls: readonly number[]
  /** An answer about outputs this young is good enough for whoever looks. */
  readonly outputRefresh: number
  /** Between two attempts to remove the outputs of an app that left. */
  readonly outputRetry: number
}

/** The times of a running cloud, milliseconds. */
export const defaultTiming: SessionTiming = {
  glassesGrace: 60_000,
  appStart: 5_000,
  appReconnectGrace: 5_000,
  restartBackoff: [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000],
  stopWebhook: 5_000,
  emptySubscriptions: 8_000,
  displayInterval: 200,
  bootScreen: 1_500,
  displayLock: 10_000,
  displayLockIdle: 2_000,
  microphoneDebounce: 1_000,
  microphoneOffHold: 3_000,
  microphoneKeepAlive: 10_000,
  unwantedAudioIgnored: 5_000,
  photo: 28_000,
  audioPlay: 55_000,
  ledControl: 30_000,
  locationPoll: 14_000,
  locationTierHold: 15_000,
  streamKeepAlive: 15_000,
  streamAck: 10_000,
  streamStart: 60_000,
  playbackPoll: 2_000,
  outputPolls: [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
  outputRefresh: 2_000,
  outputRetry: 10_000,
}
