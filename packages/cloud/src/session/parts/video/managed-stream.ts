import type { CloudToApp } from '@glasses-cloud/contract'
import { type Timer, toIsoString } from '../../../time/index.ts'
import type { SessionContext } from '../part.ts'
import {
  type Encoding,
  type GlassesStatus,
  GlassesStream,
  type StatusDetails,
  type StreamPhase,
} from './glasses-stream.ts'
import { Outputs } from './outputs.ts'
import type { LiveInput, SessionStreaming } from './port.ts'
import type { StreamNotifier } from './stream-requests.ts'

type ManagedStatus = Extract<CloudToApp, { type: 'managed_stream_status' }>
type StreamInfo = NonNullable<Extract<CloudToApp, { type: 'stream_status_check_response' }>['streamInfo']>

/** The `appId` of every managed stream for the glasses. */
const APP_ID = 'MANAGED_STREAM'

export interface ManagedStreamOptions {
  readonly streamId: string
  readonly encoding: Encoding
  readonly streaming: SessionStreaming
  readonly notifier: StreamNotifier
  /** Called when the stream ends without a call of `end`. */
  onEnd(): void
}

/**
 * A stream from the glasses to the streaming provider, shared by all apps that view it. It lasts while it has viewers
 * and the glasses stream.
 */
export class ManagedStream {
  readonly streamId: string
  readonly outputs: Outputs
  readonly #context: SessionContext
  readonly #options: ManagedStreamOptions
  readonly #createdAt: number
  /** Package names. */
  readonly #viewers = new Set<string>()
  #deadline: Timer | undefined
  #status: 'initializing' | 'preparing' | 'active' | 'stopping' = 'initializing'
  #input: LiveInput | undefined
  #glasses: GlassesStream | undefined
  #isPlayable = false
  #isPolling = false
  #ended = false

  constructor(context: SessionContext, options: ManagedStreamOptions) {
    const { streamId, streaming } = options
    this.streamId = streamId
    this.#context = context
    this.#options = options
    this.#createdAt = context.clock.now()
    this.outputs = new Outputs(context, streaming, () => this.#notifyViewers())
  }

  /** Creates the input at the provider, then starts the glasses. */
  start(): void {
    const { clock, timing } = this.#context
    const { streaming } = this.#options
    this.#deadline = clock.after(timing.streamStartTimeoutMs, () =>
      this.#fail('STREAM_TIMEOUT', 'The stream was not playable in time'),
    )
    streaming.streamOpened(this.streamId)
    streaming.createInput((result) => {
      if (this.#ended) {
        if (result.ok) streaming.deleteInput(result.value.inputId)
      } else if (result.ok) this.#startGlasses(result.value)
      else this.#fail('STREAMING_PROVIDER_ERROR', 'The streaming provider failed to create an input')
    })
  }

  hasViewer(packageName: string): boolean {
    return this.#viewers.has(packageName)
  }

  get isEmpty(): boolean {
    return this.#viewers.size === 0
  }

  /** Adds a viewer and sends it the current status. */
  join(packageName: string): void {
    this.#viewers.add(packageName)
    this.#options.notifier.notify(packageName, this.#statusMessage())
  }

  /** Removes a viewer together with its outputs. */
  leave(packageName: string): void {
    if (!this.#viewers.delete(packageName)) return
    this.#options.notifier.notify(packageName, this.#finalMessage('stopped'))
    // After its last viewer left, the caller ends the stream and thereby all outputs.
    if (!this.isEmpty) this.outputs.removeAllOf(packageName)
  }

  /** Stops the glasses, deletes the input and notifies the viewers. */
  end(status: 'stopped' | 'error', reason: { readonly code?: string; readonly message?: string } = {}): void {
    if (this.#ended) return
    this.#ended = true
    this.#deadline?.cancel()
    const { streaming, notifier } = this.#options
    this.#glasses?.stop()
    this.outputs.end()
    streaming.streamClosed(this.streamId)
    if (this.#input) streaming.deleteInput(this.#input.inputId)
    for (const viewer of this.#viewers) notifier.notify(viewer, { ...this.#finalMessage(status), ...reason })
    this.#viewers.clear()
  }

  /** Handles a phone that reconnected. */
  reconnected(): void {
    this.#glasses?.reconnected()
  }

  /** Handles a status message from the glasses. */
  report(status: GlassesStatus): void {
    this.#glasses?.report(status)
  }

  /** Handles a response to a keep-alive. */
  acknowledge(streamId: string, ackId: string): void {
    this.#glasses?.acknowledge(streamId, ackId)
  }

  /** The stream as `stream_status_check_response` describes it. */
  get info(): StreamInfo {
    return {
      type: 'managed',
      streamId: this.streamId,
      status: this.#status,
      createdAt: toIsoString(this.#createdAt),
      ...(this.#isPlayable ? this.#input?.playback : {}),
      activeViewers: this.#viewers.size,
    }
  }

  #startGlasses(input: LiveInput): void {
    this.#input = input
    this.outputs.inputCreated(input.inputId)
    this.#glasses = new GlassesStream(this.#context, {
      streamId: this.streamId,
      appId: APP_ID,
      url: input.ingestUrl,
      encoding: this.#options.encoding,
      onPhase: (phase, details) => this.#setPhase(phase, details),
      onTimeout: () => this.#fail('STREAM_TIMEOUT', 'The glasses stopped responding'),
    })
  }

  #setPhase(phase: StreamPhase, { errorDetails }: StatusDetails): void {
    switch (phase) {
      case 'initializing':
      case 'stopping':
        this.#status = phase
        return this.#notifyViewers()
      case 'active':
        this.#status = this.#isPlayable ? 'active' : 'preparing'
        this.#notifyViewers()
        return this.#pollPlayback()
      case 'stopped':
        this.#options.onEnd()
        return this.end('stopped')
      case 'error':
        return this.#fail('GLASSES_ERROR', errorDetails ?? 'The glasses failed to stream')
      case 'timeout':
        return this.#fail('STREAM_TIMEOUT', 'The stream timed out on the glasses')
    }
  }

  /** Polls the provider until the stream is playable or the deadline ends it. */
  #pollPlayback(): void {
    const { streaming } = this.#options
    if (this.#ended || this.#isPlayable || this.#isPolling || !this.#input) return
    this.#isPolling = true
    streaming.isReady(this.#input.inputId, (result) => {
      if (this.#ended) return
      if (!result.ok || !result.value) {
        const { clock, timing } = this.#context
        return void clock.after(timing.playbackPollIntervalMs, () => {
          this.#isPolling = false
          this.#pollPlayback()
        })
      }
      this.#isPlayable = true
      this.#deadline?.cancel()
      if (this.#status === 'preparing') this.#status = 'active'
      this.#notifyViewers()
    })
  }

  #fail(code: string, message: string): void {
    this.#context.log('managed_stream_failed', { code })
    this.#options.onEnd()
    this.end('error', { code, message })
  }

  #notifyViewers(): void {
    if (this.#ended) return
    const message = this.#statusMessage()
    for (const viewer of this.#viewers) this.#options.notifier.notifyIfChanged(viewer, message)
  }

  #statusMessage(): ManagedStatus {
    const { notice } = this.#options.streaming
    const outputs = this.outputs.visible().map(({ url, name, status, error }) => ({
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

  #finalMessage(status: 'stopped' | 'error'): ManagedStatus {
    const timestamp = this.#context.timestamp()
    return { type: 'managed_stream_status', streamId: this.streamId, status, timestamp }
  }
}
