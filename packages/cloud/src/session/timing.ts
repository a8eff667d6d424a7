import { instantOf, readTime } from '@glasses-cloud/contract'

/** Older timestamps are invalid: some phones cut them to 32 bits (glasses-socket.md §7). */
const MIN_PHONE_TIME_MS = Date.UTC(2020)

/** Counts of seconds are read as such if they are that near. */
const MAX_AGE_OF_SECONDS_MS = 86_400_000

/** How far the clock of a phone may be ahead of the server. */
const MAX_PHONE_SKEW_MS = 60_000

/**
 * Returns the timestamp of a phone in epoch milliseconds, or `now` if it is missing or invalid.
 * @param timestamp epoch milliseconds or recent seconds, as a number or text, or a time that `readTime` accepts
 */
export function resolvePhoneTime(timestamp: unknown, now: number): number {
  const time = toPhoneTime(timestamp, now)
  return time !== undefined && time >= MIN_PHONE_TIME_MS && time <= now + MAX_PHONE_SKEW_MS ? time : now
}

function toPhoneTime(timestamp: unknown, now: number): number | undefined {
  if (typeof timestamp === 'string' && !/^[\d.]+$/.test(timestamp)) {
    const time = readTime(timestamp)
    return time && instantOf(time)
  }
  if (typeof timestamp !== 'number' && typeof timestamp !== 'string') return undefined
  const count = Number(timestamp)
  const ofSeconds = Math.round(count * 1_000)
  // Of milliseconds that are cut to 32 bits, one in 25,000 looks like such seconds.
  return Math.abs(ofSeconds - now) <= MAX_AGE_OF_SECONDS_MS ? ofSeconds : count
}

/**
 * The timeouts and intervals of a session. Sources: app-socket.md §1.6, app-socket.md §2.7, glasses-socket.md §1.8,
 * glasses-socket.md §2.3.2 and glasses-socket.md §2.6.4.
 */
export interface SessionTiming {
  /** How long a session continues without a glasses socket. */
  readonly glassesGraceMs: number
  /** Limit of an app start: webhook, socket, authentication and the stored row. */
  readonly appStartTimeoutMs: number
  /** How long an app may take to reconnect before it is restarted. */
  readonly appReconnectGraceMs: number
  /** Delay before each attempt to restart an app. After the last attempt the app is stopped. */
  readonly restartBackoffMs: readonly number[]
  readonly stopWebhookTimeoutMs: number
  /** How long after an acknowledgement an empty subscription list takes effect with delay. */
  readonly emptySubscriptionsGraceMs: number
  readonly displayIntervalMs: number
  readonly bootScreenMs: number
  /** How long a sentence of the cloud is shown. */
  readonly noticeMs: number
  readonly displayLockMs: number
  readonly displayLockIdleMs: number
  readonly microphoneDebounceMs: number
  readonly microphoneOffDelayMs: number
  readonly microphoneKeepAliveMs: number
  readonly unwantedAudioReplyIntervalMs: number
  /** Speech without a transcription after which the phone counts as not transcribing. */
  readonly unrecognizedSpeechMs: number
  /** Limit of a photo request. The app SDK times out after 30 s and should receive the reason before. */
  readonly photoTimeoutMs: number
  /** Limit of an audio playback. The app SDK times out after 60 s and should receive the reason before. */
  readonly audioPlayTimeoutMs: number
  readonly ledControlTimeoutMs: number
  /** Limit of a location poll. The app SDK times out after 15 s. */
  readonly locationPollTimeoutMs: number
  /** Delay before the location tier is lowered. */
  readonly locationTierLowerDelayMs: number
  /** Glasses stop streaming after 60 s without a keep-alive. */
  readonly streamKeepAliveIntervalMs: number
  /** Limit for the acknowledgement of a keep-alive. */
  readonly streamAckTimeoutMs: number
  /** Limit from the request for a managed stream until its playback works. */
  readonly streamStartTimeoutMs: number
  readonly playbackPollIntervalMs: number
  /** Delay before each status poll of the outputs while one of them is connecting. The last value repeats. */
  readonly outputPollIntervalsMs: readonly number[]
  /** How long a polled output status is reused. */
  readonly outputCacheMs: number
  /** Delay between attempts to remove the outputs of an app that stopped watching. */
  readonly outputRetryDelayMs: number
}

export const DEFAULT_TIMING: SessionTiming = {
  glassesGraceMs: 60_000,
  appStartTimeoutMs: 5_000,
  appReconnectGraceMs: 5_000,
  restartBackoffMs: [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000],
  stopWebhookTimeoutMs: 5_000,
  emptySubscriptionsGraceMs: 8_000,
  displayIntervalMs: 200,
  bootScreenMs: 1_500,
  noticeMs: 5_000,
  displayLockMs: 10_000,
  displayLockIdleMs: 2_000,
  microphoneDebounceMs: 1_000,
  microphoneOffDelayMs: 3_000,
  microphoneKeepAliveMs: 10_000,
  unwantedAudioReplyIntervalMs: 5_000,
  unrecognizedSpeechMs: 15_000,
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
