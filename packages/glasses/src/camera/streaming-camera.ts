import type { Message } from '@glasses-cloud/contract'

/** What the glasses do when they are told to stream. They open no camera and send no picture; they say they do. */
export type StreamingBehavior =
  /** They stream until told to stop. */
  | { readonly kind: 'stream' }
  /** They cannot start, and do not say which stream (glasses socket protocol, gotcha 28). */
  | { readonly kind: 'fail'; readonly errorDetails: string }
  /** They say nothing, not even to keep-alives. */
  | { readonly kind: 'ignore' }

/** Which of the two sets of message names the phone knows; it leaves the other unanswered. */
export type StreamMessageNames = 'rtmp' | 'generic'

const names = {
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

/** The streaming side of the glasses' camera: one stream at a time, the one asked for last. */
export class StreamingCamera {
  /** May be changed at any time. */
  behavior: StreamingBehavior = { kind: 'stream' }
  readonly #names: (typeof names)[StreamMessageNames]
  readonly #send: (message: Message) => void
  #streamId: string | undefined

  /** @param send says something to the cloud */
  constructor(known: StreamMessageNames, send: (message: Message) => void) {
    this.#names = names[known]
    this.#send = send
  }

  /** The id of the stream under way. */
  get streamId(): string | undefined {
    return this.#streamId
  }

  /** Reacts to a message, if it is one about streams that this phone knows. */
  handle(message: Message): void {
    if (this.behavior.kind === 'ignore') return
    const { start, stop, keepAlive, url } = this.#names
    if (message.type === start) this.#start(String(message.streamId ?? ''), message[url])
    else if (message.type === stop) this.#stop()
    else if (message.type === keepAlive) {
      this.#send({ type: 'keep_alive_ack', streamId: message.streamId, ackId: message.ackId })
    }
  }

  /** Says how the stream under way stands, for instance `reconnecting`. */
  sendStatus(status: string, more: object = {}): void {
    this.#send({ type: this.#names.status, streamId: this.#streamId, status, ...more })
  }

  #start(streamId: string, url: unknown): void {
    const { behavior } = this
    const problem =
      behavior.kind === 'fail'
        ? behavior.errorDetails
        : typeof url === 'string' && url !== ''
          ? undefined
          : 'The request names no address'
    if (problem !== undefined) {
      return this.#send({ type: this.#names.status, status: 'error', errorDetails: problem })
    }
    this.#streamId = streamId
    this.sendStatus('initializing')
    this.sendStatus('streaming')
  }

  /** Phones stop whatever runs, without a look at which. */
  #stop(): void {
    if (this.#streamId === undefined) return
    this.sendStatus('stopping')
    this.sendStatus('stopped')
    this.#streamId = undefined
  }
}
