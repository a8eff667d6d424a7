import type { AppToCloud, CloudToApp, GlassesToCloud } from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './feature.ts'
import { PendingRequests } from './pending-requests.ts'

type PlayRequest = Extract<AppToCloud, { type: 'audio_play_request' }>
type PlayResponse = Extract<GlassesToCloud, { type: 'audio_play_response' }>
type Outcome = Pick<Extract<CloudToApp, { type: 'audio_play_response' }>, 'success' | 'error' | 'duration'>

/** Sounds of an app whose end is awaited. */
const MAX_OPEN = 50

/**
 * Sounds that apps play on the glasses. The app is told how each one ended, if need be by the deadline: the app SDK
 * waits a minute, and there are phones that never say (glasses socket protocol, gotcha 18).
 */
export class AudioOutput implements SessionFeature {
  readonly #context: SessionContext
  readonly #open: PendingRequests
  static readonly appHandlers: AppHandlers<AudioOutput> = {
    audio_play_request: (feature, message, from) => feature.#play(message, from),
    audio_stop_request: (feature, { trackId }, { packageName }) =>
      feature.#stop(packageName, trackId ?? undefined),
  }
  static readonly glassesHandlers: GlassesHandlers<AudioOutput> = {
    audio_play_response: (feature, message) => feature.#ended(message),
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#open = new PendingRequests(context, {
      wait: context.timing.audioPlayTimeoutMs,
      perApp: MAX_OPEN,
      gaveUp: ({ packageName, requestId }, error) =>
        this.#answer(packageName, requestId, { success: false, error }),
    })
  }

  /** What an app plays ends with it. */
  onAppReset(packageName: string): void {
    if (this.#open.drop(packageName)) this.#stop(packageName)
  }

  #play(message: PlayRequest, { packageName }: AppSession): void {
    const { requestId, audioUrl } = message
    if (this.#open.has(packageName, requestId)) return
    const refusal = this.#refusal(audioUrl)
    if (refusal) return this.#answer(packageName, requestId, { success: false, error: refusal })
    const id = this.#open.add(packageName, requestId)
    const { ports, sendToGlasses, userSessionId, timestamp } = this.#context
    sendToGlasses({
      type: 'audio_play_request',
      sessionId: userSessionId,
      requestId: id,
      appId: packageName,
      packageName,
      audioUrl: ports.toPhoneUrl(audioUrl),
      volume: Math.min(Math.max(message.volume ?? 1, 0), 1),
      stopOtherAudio: message.stopOtherAudio ?? true,
      trackId: message.trackId ?? 0,
      timestamp: timestamp(),
    })
  }

  #refusal(audioUrl: string): string | undefined {
    const { isGlassesSocketOpen, device } = this.#context
    if (!/^https?:$/.test(URL.parse(audioUrl)?.protocol ?? ''))
      return 'audioUrl is no address of a web server'
    if (!isGlassesSocketOpen()) return 'The phone is not connected to the cloud'
    if (device.isDisconnected) return 'The glasses are not connected to the phone'
    return undefined
  }

  #stop(packageName: string, trackId?: number): void {
    const { sendToGlasses, userSessionId, timestamp } = this.#context
    sendToGlasses({
      type: 'audio_stop_request',
      sessionId: userSessionId,
      appId: packageName,
      packageName,
      ...(trackId === undefined ? {} : { trackId }),
      timestamp: timestamp(),
    })
  }

  /** An answer that nobody waits for is nobody's. */
  #ended({ requestId, success, error, duration }: PlayResponse): void {
    const request = this.#open.settle(requestId)
    if (!request) return
    this.#answer(request.packageName, request.requestId, {
      success,
      ...(success ? {} : { error: error || 'The glasses did not say why' }),
      ...(typeof duration === 'number' ? { duration } : {}),
    })
  }

  #answer(packageName: string, requestId: string, outcome: Outcome): void {
    const session = this.#context.apps.get(packageName)
    if (!outcome.success) this.#context.log('audio_play_failed', { packageName })
    session?.answer({
      type: 'audio_play_response',
      requestId,
      ...outcome,
      sessionId: session.sessionId,
      timestamp: this.#context.timestamp(),
    })
  }
}
