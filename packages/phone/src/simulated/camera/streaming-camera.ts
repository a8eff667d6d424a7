import type { Message } from '@glasses-cloud/contract'
import { VideoPublisher } from '#platform'
import type { Clock, Timer } from '../../clock.ts'
import type { VideoEncoding, VideoSource } from '../../platform/platform.ts'

/** How the glasses handle a request to stream. */
export type StreamingBehavior =
  /** Report a stream until it is stopped, without sending any video. */
  | { readonly kind: 'stream' }
  /** Publish real video with ffmpeg until stopped. `encoding` overrides what the cloud requests. */
  | { readonly kind: 'publish'; readonly source: VideoSource; readonly encoding?: VideoEncoding }
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

/** Time without a keep-alive after which glasses stop to publish (glasses-socket.md §2.5). */
const KEEP_ALIVE_TIMEOUT_MS = 60_000

export interface StreamingCameraDeps {
  readonly clock: Clock
  /** Sends a message to the cloud. */
  send(message: Message): void
}

/** Simulated video streaming of the glasses: one stream at a time, a new one replaces the previous one. */
export class StreamingCamera {
  /** May be changed at any time. */
  behavior: StreamingBehavior
  readonly #names: (typeof MESSAGE_NAMES)[StreamMessageNames]
  readonly #deps: StreamingCameraDeps
  #streamId: string | undefined
  #publisher: VideoPublisher | undefined
  #keepAliveTimer: Timer

  constructor(names: StreamMessageNames, behavior: StreamingBehavior, deps: StreamingCameraDeps) {
    this.#names = MESSAGE_NAMES[names]
    this.behavior = behavior
    this.#deps = deps
  }

  /** Id of the active stream. */
  get streamId(): string | undefined {
    return this.#streamId
  }

  /** Handles the stream messages that this phone supports; ignores other messages. */
  handle(message: Message): void {
    if (this.behavior.kind === 'ignore') return
    const { start, stop, keepAlive, url } = this.#names
    if (message.type === start) this.#start(message, message[url])
    else if (message.type === stop) void this.#stop()
    else if (message.type === keepAlive) {
      this.#watchKeepAlive()
      this.#deps.send({ type: 'keep_alive_ack', streamId: message.streamId, ackId: message.ackId })
    }
  }

  /** Reports a status of the active stream, for instance `reconnecting`. */
  sendStatus(status: string, details: object = {}): void {
    this.#deps.send({ type: this.#names.status, streamId: this.#streamId, status, ...details })
  }

  /** Interrupts the video as when the network is lost; the glasses reconnect by themselves. */
  interrupt(): void {
    this.#publisher?.interrupt()
  }

  /** Stops to publish without a report; resolves when the connection to the ingest is closed. */
  async close(): Promise<void> {
    this.#deps.clock.clearTimeout(this.#keepAliveTimer)
    const publisher = this.#publisher
    this.#publisher = undefined
    await publisher?.stop()
  }

  #start(request: Message, url: unknown): void {
    if (this.behavior.kind === 'fail') return this.#reject(this.behavior.errorDetails)
    if (typeof url !== 'string' || url === '') return this.#reject('The request has no stream URL')
    void this.close()
    this.#streamId = String(request.streamId ?? '')
    if (this.behavior.kind === 'publish') return this.#publish(this.behavior, url, request)
    this.sendStatus('initializing')
    this.sendStatus('streaming')
  }

  #publish(
    { source, encoding }: Extract<StreamingBehavior, { kind: 'publish' }>,
    url: string,
    request: Message,
  ): void {
    const publisher = new VideoPublisher({
      source,
      url,
      encoding: { ...encodingOf(request), ...encoding },
      clock: this.#deps.clock,
      onStatus: (status, details) => {
        if (this.#publisher === publisher) this.sendStatus(status, details)
      },
      onEnd: () => {
        if (this.#publisher !== publisher) return
        void this.close()
        this.#streamId = undefined
      },
    })
    this.#publisher = publisher
    this.#watchKeepAlive()
    publisher.start()
  }

  /** Real glasses send no stream id with an error before the start (glasses-socket.md §7). */
  #reject(errorDetails: string): void {
    this.#deps.send({ type: this.#names.status, status: 'error', errorDetails })
  }

  #watchKeepAlive(): void {
    const { clock } = this.#deps
    clock.clearTimeout(this.#keepAliveTimer)
    if (!this.#publisher) return
    this.#keepAliveTimer = clock.setTimeout(() => {
      this.sendStatus('timeout')
      this.#streamId = undefined
      void this.close()
    }, KEEP_ALIVE_TIMEOUT_MS)
  }

  /** Stops the active stream without comparing stream ids, as phones do. */
  async #stop(): Promise<void> {
    const streamId = this.#streamId
    if (streamId === undefined) return
    this.sendStatus('stopping')
    if (this.#publisher) await this.close()
    // A new stream may have started meanwhile.
    if (this.#streamId !== streamId) return
    this.sendStatus('stopped')
    this.#streamId = undefined
  }
}

/** Reads the encoder settings of a request, of which any may be missing. */
function encodingOf({ video, audio }: Message): VideoEncoding {
  const wanted = { ...(video as Record<string, unknown>) }
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return {
    width: number(wanted.width),
    height: number(wanted.height),
    frameRate: number(wanted.frameRate) ?? number(wanted.fps),
    bitrate: number(wanted.bitrate),
    audioBitrate: number({ ...(audio as Record<string, unknown>) }.bitrate),
  }
}
