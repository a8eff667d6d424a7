import type { AppToCloud, GlassesToCloud } from '@glasses-cloud/contract'
import type { SessionContext } from '../part.ts'
import { KeepAlive } from './keep-alive.ts'
import { maskStreamKeys } from './output-url.ts'

/** The phase of a stream on the glasses. */
export type StreamPhase = 'initializing' | 'active' | 'stopping' | 'stopped' | 'error' | 'timeout'

const phases = new Map<string, StreamPhase>([
  ['initializing', 'initializing'],
  ['connecting', 'initializing'],
  ['reconnecting', 'initializing'],
  ['active', 'active'],
  ['streaming', 'active'],
  ['reconnected', 'active'],
  ['stopping', 'stopping'],
  ['stopped', 'stopped'],
  ['disconnected', 'stopped'],
  ['unknown', 'stopped'],
  ['error', 'error'],
  ['reconnect_failed', 'error'],
  ['timeout', 'timeout'],
])

/**
 * Maps a status of the glasses to a phase (glasses-socket.md §2.5).
 * @returns undefined for an unknown status: newer glasses may have more, and keep streaming
 */
function parseStreamPhase(status: string): StreamPhase | undefined {
  return phases.get(status.toLowerCase())
}

/** Encoder settings for the glasses. */
export type Encoding = Pick<
  Extract<AppToCloud, { type: 'rtmp_stream_request' }>,
  'video' | 'audio' | 'stream'
>

/** A status message from the glasses. */
export type GlassesStatus = Extract<GlassesToCloud, { type: 'rtmp_stream_status' | 'stream_status' }>

/** The optional fields of a status message. */
export interface StatusDetails {
  /** Stream keys are masked. */
  readonly errorDetails?: string
  readonly stats?: Readonly<Record<string, unknown>>
}

export interface GlassesStreamOptions {
  readonly streamId: string
  /** The `appId` for the glasses: a package name, or one constant for all managed streams. */
  readonly appId: string
  /** The destination, including its stream key. Secret. */
  readonly url: string
  readonly encoding: Encoding
  /** Called for each status that the glasses report. */
  onPhase(phase: StreamPhase, details: StatusDetails): void
  /** Called when the glasses stopped responding to keep-alives. */
  onTimeout(): void
}

/** Makes the glasses stream their camera to a URL, and keeps the stream alive until it is stopped. */
export class GlassesStream {
  readonly #context: SessionContext
  readonly #options: GlassesStreamOptions
  readonly #keepAlive: KeepAlive
  #isStarting = true
  /** Whether the glasses have reported on the stream. */
  #isKnown = false

  /** Sends the start messages to the glasses. */
  constructor(context: SessionContext, options: GlassesStreamOptions) {
    this.#context = context
    this.#options = options
    this.#keepAlive = new KeepAlive(context, options.streamId, options.onTimeout)
    this.#sendStart()
    this.#keepAlive.start()
  }

  /** Sends the start again to a phone that reconnected and has not reported on the stream: it may not have received it. */
  reconnected(): void {
    if (!this.#isKnown) this.#sendStart()
  }

  #sendStart(): void {
    const { streamId, appId, url, encoding } = this.#options
    const { sendToGlasses, userSessionId, timestamp } = this.#context
    const { video = {}, audio = {}, stream = {} } = encoding
    const start = { sessionId: userSessionId, appId, streamId, video, audio, stream, timestamp: timestamp() }
    sendToGlasses({ type: 'start_rtmp_stream', rtmpUrl: url, ...start })
    sendToGlasses({ type: 'start_stream', streamUrl: url, ...start })
  }

  /** Handles a status message, which may belong to another stream. */
  report(status: GlassesStatus): void {
    const phase = parseStreamPhase(status.status)
    if (!phase || !this.#belongsHere(status, phase)) return
    this.#isKnown = true
    if (phase === 'active') this.#isStarting = false
    const { errorDetails, stats } = status
    this.#options.onPhase(phase, {
      ...(typeof errorDetails === 'string' && errorDetails
        ? { errorDetails: maskStreamKeys(errorDetails) }
        : {}),
      ...(stats ? { stats } : {}),
    })
  }

  acknowledge(streamId: string, ackId: string): void {
    if (streamId === this.#options.streamId) this.#keepAlive.acknowledge(ackId)
  }

  /** Sends the stop messages to the glasses. */
  stop(): void {
    this.#keepAlive.stop()
    const { sendToGlasses, userSessionId, timestamp } = this.#context
    const { appId, streamId } = this.#options
    const stop = { sessionId: userSessionId, appId, streamId, timestamp: timestamp() }
    sendToGlasses({ type: 'stop_rtmp_stream', ...stop })
    sendToGlasses({ type: 'stop_stream', ...stop })
  }

  /**
   * Glasses that fail to start omit the `streamId` (glasses-socket.md §7): such a status belongs to the stream that
   * is starting. A `stopping` or `stopped` without an id may be a late status of the previous stream.
   */
  #belongsHere({ streamId }: GlassesStatus, phase: StreamPhase): boolean {
    if (streamId) return streamId === this.#options.streamId
    return this.#isStarting && phase !== 'stopping' && phase !== 'stopped'
  }
}
