import type { CloudToApp } from '@glasses-cloud/contract'
import { type Timer, toIsoString } from '../../clock.ts'
import type { SessionContext } from '../feature.ts'
import { type Encoding, type GlassesStatus, GlassesStream, type StatusDetails } from './glasses-stream.ts'
import { Outputs } from './outputs.ts'
import type { LiveInput, SessionStreaming } from './port.ts'
import type { StreamNotifier } from './stream-notifier.ts'
import type { StreamPhase } from './stream-phase.ts'

type ManagedStatus = Extract<CloudToApp, { type: 'managed_stream_status' }>
type StreamInfo = NonNullable<Extract<CloudToApp, { type: 'stream_status_check_response' }>['streamInfo']>

/** What the glasses call the app behind every managed stream. */
const APP_ID = 'MANAGED_STREAM'

/** What a managed stream is made of. */
export interface ManagedStreamOptions {
  readonly streamId: string
  readonly encoding: Encoding
  readonly streaming: SessionStreaming
  readonly notices: StreamNotifier
  /** It ends by itself now. */
  over(): void
}

/**
 * A stream of the glasses through the streaming provider, which any number of apps view: one for each user. It lasts
 * while somebody views it and the glasses stream.
 */
export class ManagedStream {
  readonly streamId: string
  readonly outputs: Outputs
  readonly #context: SessionContext
  readonly #options: ManagedStreamOptions
  readonly #createdAt: number
  readonly #viewers = new Set<string>()
  #deadline: Timer | undefined
  #status: 'initializing' | 'preparing' | 'active' | 'stopping' = 'initializing'
  #input: LiveInput | undefined
  #glasses: GlassesStream | undefined
  #playable = false
  #polling = false
  #ended = false

  constructor(context: SessionContext, options: ManagedStreamOptions) {
    const { streamId, streaming } = options
    this.streamId = streamId
    this.#context = context
    this.#options = options
    this.#createdAt = context.clock.now()
    this.outputs = new Outputs(context, streaming, () => this.#tellAll())
  }

  /** Begins with the provider; the glasses follow. */
  begin(): void {
    const { clock, timing } = this.#context
    const { streaming } = this.#options
    this.#deadline = clock.after(timing.streamStartTimeoutMs, () =>
      this.#fail('STREAM_TIMEOUT', 'The stream could not be watched in time'),
    )
    streaming.streamOpened(this.streamId)
    streaming.createInput((result) => {
      if (this.#ended) {
        if (result.ok) streaming.deleteInput(result.value.inputId)
      } else if (result.ok) this.#stream(result.value)
      else this.#fail('STREAMING_PROVIDER_ERROR', 'The streaming provider could not take the stream')
    })
  }

  has(packageName: string): boolean {
    return this.#viewers.has(packageName)
  }

  get isEmpty(): boolean {
    return this.#viewers.size === 0
  }

  /** An app views the stream, and is told how it stands. */
  join(packageName: string): void {
    this.#viewers.add(packageName)
    this.#options.notices.notify(packageName, this.#notice())
  }

  /** An app views the stream no more. */
  leave(packageName: string): void {
    if (!this.#viewers.delete(packageName)) return
    this.#options.notices.notify(packageName, this.#lastNotice('stopped'))
    // With its last viewer the stream ends, and all of its outputs with it.
    if (!this.isEmpty) this.outputs.removeOf(packageName)
  }

  /** Ends the stream for everybody: at the glasses, at the provider, for the viewers. */
  end(status: 'stopped' | 'error', why: { readonly code?: string; readonly message?: string } = {}): void {
    if (this.#ended) return
    this.#ended = true
    this.#deadline?.cancel()
    const { streaming, notices } = this.#options
    this.#glasses?.stop()
    this.outputs.end()
    streaming.streamClosed(this.streamId)
    if (this.#input) streaming.deleteInput(this.#input.inputId)
    for (const viewer of this.#viewers) notices.notify(viewer, { ...this.#lastNotice(status), ...why })
    this.#viewers.clear()
  }

  /** A status came from the glasses. */
  report(status: GlassesStatus): void {
    this.#glasses?.report(status)
  }

  /** The glasses answered a keep-alive. */
  acknowledge(streamId: string, ackId: string): void {
    this.#glasses?.acknowledge(streamId, ackId)
  }

  /** The stream as an answer to `stream_status_check`. */
  get info(): StreamInfo {
    return {
      type: 'managed',
      streamId: this.streamId,
      status: this.#status,
      createdAt: toIsoString(this.#createdAt),
      ...(this.#playable ? this.#input?.playback : {}),
      activeViewers: this.#viewers.size,
    }
  }

  #stream(input: LiveInput): void {
    this.#input = input
    this.outputs.inputCreated(input.inputId)
    this.#glasses = new GlassesStream(this.#context, {
      streamId: this.streamId,
      appId: APP_ID,
      url: input.ingestUrl,
      encoding: this.#options.encoding,
      changed: (phase, words) => this.#glassesChanged(phase, words),
      lost: () => this.#fail('STREAM_TIMEOUT', 'The glasses do not answer any more'),
    })
  }

  #glassesChanged(phase: StreamPhase, { errorDetails }: StatusDetails): void {
    switch (phase) {
      case 'initializing':
      case 'stopping':
        this.#status = phase
        return this.#tellAll()
      case 'active':
        this.#status = this.#playable ? 'active' : 'preparing'
        this.#tellAll()
        return this.#awaitPlayback()
      case 'stopped':
        this.#options.over()
        return this.end('stopped')
      case 'error':
        return this.#fail('GLASSES_ERROR', errorDetails ?? 'The glasses could not stream')
      case 'timeout':
        return this.#fail('STREAM_TIMEOUT', 'The stream of the glasses timed out')
    }
  }

  /** Asks the provider, again and again until the deadline, whether the stream can be watched. */
  #awaitPlayback(): void {
    const { streaming } = this.#options
    if (this.#playable || this.#polling || !this.#input) return
    this.#polling = true
    streaming.isReady(this.#input.inputId, (result) => {
      if (this.#ended) return
      if (!result.ok || !result.value) {
        const { clock, timing } = this.#context
        return void clock.after(timing.playbackPollIntervalMs, () => {
          this.#polling = false
          this.#awaitPlayback()
        })
      }
      this.#playable = true
      this.#deadline?.cancel()
      if (this.#status === 'preparing') this.#status = 'active'
      this.#tellAll()
    })
  }

  #fail(code: string, message: string): void {
    this.#context.log('managed_stream_failed', { code })
    this.#options.over()
    this.end('error', { code, message })
  }

  #tellAll(): void {
    if (this.#ended) return
    const notice = this.#notice()
    for (const viewer of this.#viewers) this.#options.notices.notifyIfChanged(viewer, notice)
  }

  #notice(): ManagedStatus {
    const { notice } = this.#options.streaming
    const outputs = this.outputs.shown().map(({ url, name, status, error }) => ({
      url,
      name,
      status: status === 'active' || status === 'error' ? status : ('stopped' as const),
      ...(error === null ? {} : { error }),
    }))
    return {
      type: 'managed_stream_status',
      streamId: this.streamId,
      status: this.#status,
      ...(this.#status === 'active' ? this.#input?.playback : {}),
      ...(notice === undefined ? {} : { message: notice }),
      ...(outputs.length > 0 ? { outputs } : {}),
      timestamp: this.#context.timestamp(),
    }
  }

  #lastNotice(status: 'stopped' | 'error'): ManagedStatus {
    const timestamp = this.#context.timestamp()
    return { type: 'managed_stream_status', streamId: this.streamId, status, timestamp }
  }
}
