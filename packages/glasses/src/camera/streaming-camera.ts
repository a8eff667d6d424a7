import type { Message } from '@glasses-cloud/contract'

/** How the glasses handle a request to stream. They report a stream without sending any video. */
export type StreamingBehavior =
  /** Stream until stopped. */
  | { readonly kind: 'stream' }
  /** Report this error without a stream id, as real glasses do before a start (glasses-socket.md §7). */
  | { readonly kind: 'fail'; readonly errorDetails: string }
  /** Send no response, not even to keep-alives. */
  | { readonly kind: 'ignore' }

/** The set of message names the phone supports; it ignores the other set. */
export type StreamMessageNames = 'rtmp' | 'generic'

const MESSAGE_NAMES = {
  rtmp: {
    start: 'start_rtmp_stream',
    stop: 'stop_rtmp_stream',
    keepAlive: 'keep_rtmp_stream_alive',
    status: 'rtmp_stream_status',
    url: 'rtmpUrl',
  },
  generic: {
    start: 'start_stream',
    stop: 'stop_stream',
    keepAlive: 'keep_stream_alive',
    status: 'stream_status',
    url: 'streamUrl',
  },
} as const

/** Simulated video streaming of the glasses: one stream at a time, a new one replaces the previous one. */
export class StreamingCamera {
  /** May be changed at any time. */
  behavior: StreamingBehavior = { kind: 'stream' }
  readonly #names: (typeof MESSAGE_NAMES)[StreamMessageNames]
  readonly #send: (message: Message) => void
  #streamId: string | undefined

  /** @param send sends a message to the cloud */
  constructor(names: StreamMessageNames, send: (message: Message) => void) {
    this.#names = MESSAGE_NAMES[names]
    this.#send = send
  }

  /** Id of the active stream. */
  get streamId(): string | undefined {
    return this.#streamId
  }

  /** Handles the stream messages that this phone supports; ignores other messages. */
  handle(message: Message): void {
    if (this.behavior.kind === 'ignore') return
    const { start, stop, keepAlive, url } = this.#names
    if (message.type === start) this.#start(String(message.streamId ?? ''), message[url])
    else if (message.type === stop) this.#stop()
    else if (message.type === keepAlive) {
      this.#send({ type: 'keep_alive_ack', streamId: message.streamId, ackId: message.ackId })
    }
  }

  /** Reports a status of the active stream, for instance `reconnecting`. */
  sendStatus(status: string, details: object = {}): void {
    this.#send({ type: this.#names.status, streamId: this.#streamId, status, ...details })
  }

  #start(streamId: string, url: unknown): void {
    const error = this.#startError(url)
    if (error !== undefined) {
      return this.#send({ type: this.#names.status, status: 'error', errorDetails: error })
    }
    this.#streamId = streamId
    this.sendStatus('initializing')
    this.sendStatus('streaming')
  }

  #startError(url: unknown): string | undefined {
    if (this.behavior.kind === 'fail') return this.behavior.errorDetails
    return typeof url === 'string' && url !== '' ? undefined : 'The request has no stream URL'
  }

  /** Stops the active stream without comparing stream ids, as phones do. */
  #stop(): void {
    if (this.#streamId === undefined) return
    this.sendStatus('stopping')
    this.sendStatus('stopped')
    this.#streamId = undefined
  }
}
