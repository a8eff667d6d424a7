import type { CloudToApp } from '@glasses-cloud/contract'
import { toIsoString } from '../../clock.ts'
import type { SessionContext } from '../feature.ts'
import { type Encoding, type GlassesStatus, GlassesStream, type StatusDetails } from './glasses-stream.ts'
import type { OutputUrl } from './output-url.ts'
import type { StreamNotifier } from './stream-notifier.ts'
import type { StreamPhase } from './stream-phase.ts'

type RtmpStatus = Extract<CloudToApp, { type: 'rtmp_stream_status' }>
type StreamInfo = NonNullable<Extract<CloudToApp, { type: 'stream_status_check_response' }>['streamInfo']>

/** What an RTMP stream is made of. */
export interface RtmpStreamOptions {
  readonly streamId: string
  /** The app that asked for it, and owns it. */
  readonly packageName: string
  readonly url: OutputUrl
  readonly encoding: Encoding
  readonly notices: StreamNotifier
  /** It ended by itself. */
  over(): void
}

/** A stream of the glasses straight to an address of one app. */
export class RtmpStream {
  readonly streamId: string
  readonly packageName: string
  readonly #context: SessionContext
  readonly #options: RtmpStreamOptions
  readonly #createdAt: number
  readonly #glasses: GlassesStream
  #status: RtmpStatus['status'] = 'initializing'

  /** Tells owner and glasses. */
  constructor(context: SessionContext, options: RtmpStreamOptions) {
    const { streamId, packageName, url, encoding } = options
    this.streamId = streamId
    this.packageName = packageName
    this.#context = context
    this.#options = options
    this.#createdAt = context.clock.now()
    this.#tell('initializing')
    this.#glasses = new GlassesStream(context, {
      streamId,
      appId: packageName,
      url: url.url,
      encoding,
      changed: (phase, words) => this.#glassesChanged(phase, words),
      lost: () => {
        context.log('rtmp_stream_lost', { packageName })
        this.end('timeout', 'The glasses do not answer any more')
        options.over()
      },
    })
  }

  /** Ends it at the glasses and tells the owner. */
  end(status: 'stopped' | 'timeout' = 'stopped', errorDetails?: string): void {
    this.#glasses.stop()
    this.#tell(status, errorDetails === undefined ? {} : { errorDetails })
  }

  /** A status came from the glasses. */
  report(status: GlassesStatus): void {
    this.#glasses.report(status)
  }

  /** The glasses answered a keep-alive. */
  acknowledge(streamId: string, ackId: string): void {
    this.#glasses.acknowledge(streamId, ackId)
  }

  /**
   * The stream as an answer to `stream_status_check`.
   * @param asker the app that asks; only the owner is shown the stream key
   */
  info(asker: string): StreamInfo {
    const { packageName, url } = this.#options
    return {
      type: 'unmanaged',
      streamId: this.streamId,
      status: this.#status,
      createdAt: toIsoString(this.#createdAt),
      rtmpUrl: asker === packageName ? url.url : url.masked,
      requestingAppId: packageName,
    }
  }

  #glassesChanged(phase: StreamPhase, words: StatusDetails): void {
    // To apps a stream that failed has stopped (app socket protocol, 2.5); why is beside it.
    const status = phase === 'error' ? 'stopped' : phase
    const over = status === 'stopped' || status === 'timeout'
    if (over) this.#glasses.stop()
    this.#tell(status, words)
    if (over) this.#options.over()
  }

  /** Tells the owner raw, as the app SDK needs it, and all who subscribed. */
  #tell(status: RtmpStatus['status'], words: StatusDetails = {}): void {
    this.#status = status
    const notice: RtmpStatus = {
      type: 'rtmp_stream_status',
      streamId: this.streamId,
      status,
      ...words,
      appId: this.packageName,
      timestamp: this.#context.timestamp(),
    }
    this.#options.notices.notify(this.packageName, notice)
    this.#context.publish('rtmp_stream_status', {}, notice)
  }
}
