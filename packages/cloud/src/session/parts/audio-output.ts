import type { AppToCloud, CloudToApp, GlassesToCloud } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { AppSession } from '../apps/app-session.ts'
import { command, optional } from '../command.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from './part.ts'
import { type DropReason, type PendingRequest, PendingRequests } from './pending-requests.ts'

type PlayRequest = Extract<AppToCloud, { type: 'audio_play_request' }>
type PlayResponse = Extract<GlassesToCloud, { type: 'audio_play_response' }>
type PlayResult = Pick<Extract<CloudToApp, { type: 'audio_play_response' }>, 'success' | 'error' | 'duration'>

const MAX_PENDING_PER_APP = 50

const dropMessages: Readonly<Record<DropReason, string>> = {
  timeout: 'The phone lost its connection to the cloud and did not respond in time',
  evicted: `The app has more than ${MAX_PENDING_PER_APP} pending playback requests`,
}

/** A stop has no response: for this time it may have been sent into a connection that was dead. */
const RECENT_MS = 15_000

interface Sound {
  /** The URL that the glasses received. */
  readonly url: string
  isAnswered: boolean
}

/**
 * Audio that apps play on the glasses. The app receives one response for each request, after the timeout at the
 * latest: the app SDK waits a minute, sounds may be longer, and some phones never respond (glasses-socket.md §7).
 */
export class AudioOutput implements SessionPart {
  static readonly appHandlers: AppHandlers<AudioOutput> = {
    audio_play_request: (part, message, from) => part.#play(message, from),
    audio_stop_request: (part, { trackId }, { packageName }) => part.#stop(packageName, trackId ?? undefined),
  }
  static readonly glassesHandlers: GlassesHandlers<AudioOutput> = {
    audio_play_response: (part, message) => part.#complete(message),
  }

  static readonly commands = {
    /** Returns the URL of a playback that the glasses have not finished, by the request id that they received. */
    soundUrl: command([Type.String()], optional(Type.String()), (output: AudioOutput, requestId) =>
      output.soundUrl(requestId),
    ),
  }

  readonly #context: SessionContext
  readonly #pending: PendingRequests<Sound>
  readonly #stops: PendingRequests

  constructor(context: SessionContext) {
    this.#context = context
    this.#pending = new PendingRequests(context.clock, {
      timeoutMs: context.timing.audioPlayTimeoutMs,
      maxPerOwner: MAX_PENDING_PER_APP,
      onDrop: (request, reason) => this.#onDrop(request, reason),
      outlastsTimeout: true,
      send: context.sendToGlasses,
    })
    this.#stops = new PendingRequests(context.clock, {
      timeoutMs: RECENT_MS,
      maxPerOwner: MAX_PENDING_PER_APP,
      send: context.sendToGlasses,
    })
  }

  onGlassesConnected(): void {
    this.#stops.resend()
    // An older one has probably been received: it would begin again.
    this.#pending.resend(RECENT_MS)
  }

  /** The URL of a pending playback, by the `requestId` that the glasses received. */
  soundUrl(id: string): string | undefined {
    return this.#pending.get(id)?.details.url
  }

  onAppReset(packageName: string): void {
    if (this.#pending.cancel(packageName).length > 0) this.#stop(packageName)
  }

  #play(message: PlayRequest, { packageName }: AppSession): void {
    const { requestId, audioUrl } = message
    const known = this.#pending.find(requestId, packageName)
    if (known && !known.details.isAnswered) return
    const { ports, userSessionId, timestamp } = this.#context
    const phoneUrl = ports.toPhoneUrl(audioUrl)
    const error = this.#rejection(phoneUrl)
    if (error !== undefined) return this.#respond(packageName, requestId, { success: false, error })
    if (known) this.#pending.complete(known.id)
    this.#stops.cancel(packageName)
    this.#pending.add(packageName, requestId, { url: phoneUrl, isAnswered: false }, (id) => ({
      type: 'audio_play_request',
      sessionId: userSessionId,
      requestId: id,
      appId: packageName,
      packageName,
      audioUrl: phoneUrl,
      volume: Math.min(Math.max(message.volume ?? 1, 0), 1),
      stopOtherAudio: message.stopOtherAudio ?? true,
      trackId: message.trackId ?? 0,
      timestamp: timestamp(),
    }))
  }

  /** Why the request is not sent to the glasses; undefined if it is. */
  #rejection(audioUrl: string): string | undefined {
    const { isGlassesSocketOpen, device } = this.#context
    if (!/^https?:$/.test(URL.parse(audioUrl)?.protocol ?? '')) return 'audioUrl must be an http or https URL'
    if (!isGlassesSocketOpen()) return 'The phone is not connected to the cloud'
    if (device.isDisconnected) return 'The glasses are not connected to the phone'
    return undefined
  }

  #stop(packageName: string, trackId?: number): void {
    const { userSessionId, timestamp, createId } = this.#context
    this.#stops.add(packageName, createId(), undefined, () => ({
      type: 'audio_stop_request',
      sessionId: userSessionId,
      appId: packageName,
      packageName,
      ...(trackId === undefined ? {} : { trackId }),
      timestamp: timestamp(),
    }))
  }

  #onDrop({ owner, requestId, details }: PendingRequest<Sound>, reason: DropReason): void {
    if (details.isAnswered) return
    details.isAnswered = true
    // Nothing says that the sound failed: a long one is still playing, and is stopped with the app.
    if (reason === 'timeout' && this.#context.isGlassesSocketOpen())
      return this.#respond(owner, requestId, { success: true })
    this.#respond(owner, requestId, { success: false, error: dropMessages[reason] })
  }

  #complete({ requestId: id, success, error, duration }: PlayResponse): void {
    const request = this.#pending.complete(id)
    if (!request || request.details.isAnswered) return
    this.#respond(request.owner, request.requestId, {
      success,
      ...(success ? {} : { error: error || 'The glasses reported a failure without a reason' }),
      ...(typeof duration === 'number' ? { duration } : {}),
    })
  }

  #respond(packageName: string, requestId: string, result: PlayResult): void {
    const session = this.#context.apps.get(packageName)
    if (!result.success) this.#context.log('audio_play_failed', { packageName })
    session?.sendOrQueue({
      type: 'audio_play_response',
      requestId,
      ...result,
      sessionId: session.sessionId,
      timestamp: this.#context.timestamp(),
    })
  }
}
