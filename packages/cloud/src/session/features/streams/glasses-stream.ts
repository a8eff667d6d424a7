import type { AppToCloud, GlassesToCloud } from '@glasses-cloud/contract'
import type { SessionContext } from '../feature.ts'
import { KeepAlive } from './keep-alive.ts'
import { maskStreamKeys } from './output-url.ts'
import { parseStreamPhase, type StreamPhase } from './stream-phase.ts'

/** How the glasses are asked to encode. */
export type Encoding = Pick<
  Extract<AppToCloud, { type: 'rtmp_stream_request' }>,
  'video' | 'audio' | 'stream'
>

/** A status from the glasses. */
export type GlassesStatus = Extract<GlassesToCloud, { type: 'rtmp_stream_status' | 'stream_status' }>

/** What the glasses say beside how the stream stands. */
export interface StatusDetails {
  /** Why it failed, without stream keys. */
  readonly errorDetails?: string
  readonly stats?: Readonly<Record<string, unknown>>
}

/** What is streamed, and what to do as it goes on. */
export interface GlassesStreamOptions {
  readonly streamId: string
  /** What the glasses call the app: its package, or one word for all managed streams. */
  readonly appId: string
  /** Where to; holds a key. */
  readonly url: string
  readonly encoding: Encoding
  /** The glasses said how the stream stands. */
  changed(phase: StreamPhase, words: StatusDetails): void
  /** The glasses answer no more. */
  lost(): void
}

/** The camera of the glasses streaming to an address, kept alive until it is stopped. */
export class GlassesStream {
  readonly #context: SessionContext
  readonly #options: GlassesStreamOptions
  readonly #keepAlive: KeepAlive
  #starting = true

  /** Tells the glasses to stream. */
  constructor(context: SessionContext, options: GlassesStreamOptions) {
    this.#context = context
    this.#options = options
    const { streamId, appId, url, encoding, lost } = options
    this.#keepAlive = new KeepAlive(context, streamId, lost)
    const { sendToGlasses, userSessionId, timestamp } = context
    const { video = {}, audio = {}, stream = {} } = encoding
    const start = { sessionId: userSessionId, appId, streamId, video, audio, stream, timestamp: timestamp() }
    sendToGlasses({ type: 'start_rtmp_stream', rtmpUrl: url, ...start })
    sendToGlasses({ type: 'start_stream', streamUrl: url, ...start })
    this.#keepAlive.start()
  }

  /** A status came. */
  report(status: GlassesStatus): void {
    const phase = parseStreamPhase(status.status)
    if (!phase || !this.#isMine(status, phase)) return
    if (phase === 'active') this.#starting = false
    const { errorDetails, stats } = status
    this.#options.changed(phase, {
      ...(typeof errorDetails === 'string' && errorDetails
        ? { errorDetails: maskStreamKeys(errorDetails) }
        : {}),
      ...(stats ? { stats } : {}),
    })
  }

  /** A keep-alive was answered. */
  acknowledge(streamId: string, ackId: string): void {
    if (streamId === this.#options.streamId) this.#keepAlive.acknowledge(ackId)
  }

  /** Tells the glasses to stop; nothing they still say counts. */
  stop(): void {
    this.#keepAlive.stop()
    const { sendToGlasses, userSessionId, timestamp } = this.#context
    const { appId, streamId } = this.#options
    const stop = { sessionId: userSessionId, appId, streamId, timestamp: timestamp() }
    sendToGlasses({ type: 'stop_rtmp_stream', ...stop })
    sendToGlasses({ type: 'stop_stream', ...stop })
  }

  /**
   * Glasses that cannot start do not say which stream (glasses socket protocol, gotcha 28); the one that starts is
   * meant. That they stopped, they may still be saying of the stream before.
   */
  #isMine({ streamId }: GlassesStatus, phase: StreamPhase): boolean {
    if (streamId) return streamId === this.#options.streamId
    return this.#starting && phase !== 'stopping' && phase !== 'stopped'
  }
}
