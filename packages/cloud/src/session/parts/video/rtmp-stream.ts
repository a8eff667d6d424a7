import type { CloudToApp } from '@glasses-cloud/contract'
import { toIsoString } from '../../../time/index.ts'
import type { SessionContext } from '../part.ts'
import {
  type Encoding,
  type GlassesStatus,
  GlassesStream,
  type StatusDetails,
  type StreamPhase,
} from './glasses-stream.ts'
import type { OutputUrl } from './output-url.ts'
import type { StreamNotifier } from './stream-requests.ts'

type RtmpStatus = Extract<CloudToApp, { type: 'rtmp_stream_status' }>
type StreamInfo = NonNullable<Extract<CloudToApp, { type: 'stream_status_check_response' }>['streamInfo']>

export interface RtmpStreamOptions {
  readonly streamId: string
  /** The owner: the app that requested the stream. */
  readonly packageName: string
  readonly url: OutputUrl
  readonly encoding: Encoding
  readonly notifier: StreamNotifier
  /** Called when the stream ends without a call of `end`. */
  onEnd(): void
}

/** A stream from the glasses directly to the URL of one app. */
export class RtmpStream {
  readonly streamId: string
  readonly packageName: string
  readonly #context: SessionContext
  readonly #options: RtmpStreamOptions
  readonly #createdAt: number
  readonly #glasses: GlassesStream
  #status: RtmpStatus['status'] = 'initializing'

  /** Notifies the owner and starts the glasses. */
  constructor(context: SessionContext, options: RtmpStreamOptions) {
    const { streamId, packageName, url, encoding } = options
    this.streamId = streamId
    this.packageName = packageName
    this.#context = context
    this.#options = options
    this.#createdAt = context.clock.now()
    this.#notify('initializing')
    this.#glasses = new GlassesStream(context, {
      streamId,
      appId: packageName,
      url: url.full,
      encoding,
      onPhase: (phase, details) => this.#setPhase(phase, details),
      onTimeout: () => {
        context.log('rtmp_stream_timed_out', { packageName })
        this.end('timeout', 'The glasses stopped responding')
        options.onEnd()
      },
    })
  }

  /** Stops the glasses and notifies the owner. */
  end(status: 'stopped' | 'timeout' = 'stopped', errorDetails?: string): void {
    this.#glasses.stop()
    this.#notify(status, errorDetails === undefined ? {} : { errorDetails })
  }

  /** Handles a phone that reconnected. */
  reconnected(): void {
    this.#glasses.reconnected()
  }

  /** Handles a status message from the glasses. */
  report(status: GlassesStatus): void {
    this.#glasses.report(status)
  }

  /** Handles a response to a keep-alive. */
  acknowledge(streamId: string, ackId: string): void {
    this.#glasses.acknowledge(streamId, ackId)
  }

  /**
   * The stream as `stream_status_check_response` describes it.
   * @param recipient the package name of the app that receives it; only the owner receives the stream key
   */
  info(recipient: string): StreamInfo {
    const { packageName, url } = this.#options
    return {
      type: 'unmanaged',
      streamId: this.streamId,
      status: this.#status,
      createdAt: toIsoString(this.#createdAt),
      rtmpUrl: recipient === packageName ? url.full : url.masked,
      requestingAppId: packageName,
    }
  }

  #setPhase(phase: StreamPhase, details: StatusDetails): void {
    // Apps receive `stopped` for a stream that failed (app-socket.md §2.5); `errorDetails` contains the reason.
    const status = phase === 'error' ? 'stopped' : phase
    const isOver = status === 'stopped' || status === 'timeout'
    if (isOver) this.#glasses.stop()
    this.#notify(status, details)
    if (isOver) this.#options.onEnd()
  }

  /** Sends the status to the owner directly, as the app SDK expects, and to all subscribers as a frame (STR-30). */
  #notify(status: RtmpStatus['status'], details: StatusDetails = {}): void {
    this.#status = status
    const message: RtmpStatus = {
      type: 'rtmp_stream_status',
      streamId: this.streamId,
      status,
      ...details,
      appId: this.packageName,
      timestamp: this.#context.timestamp(),
    }
    this.#options.notifier.notify(this.packageName, message)
    this.#context.publish('rtmp_stream_status', {}, message)
    this.#context.publish('stream_status', {}, { ...message, type: 'stream_status' })
  }
}
