import type { Socket } from 'node:net'
import logger from 'node-media-server/src/core/logger.js'
import Rtmp, { type AvPacket } from 'node-media-server/src/protocol/rtmp.js'
import type { MediaTag } from './media-tag.ts'

// The library prints names of streams, which are stream keys.
logger.log = () => {}

/** Bytes that a client may send before it is authorized: handshake, connect and publish take about 4 KiB. */
const MAX_UNAUTHORIZED_BYTES = 16 * 1024

/** A message may be this long once the client is authorized: a keyframe in the highest quality. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

const MAX_CHUNK_BYTES = 1024 * 1024

/** Publishers use four chunk streams. */
const MAX_CHUNK_STREAMS = 16

/** Received bytes after which an acknowledgement is sent: half the window that the library announces. */
const ACKNOWLEDGE_EVERY_BYTES = 2_500_000

/** Bytes of responses that may wait for a client. */
const MAX_UNREAD_BYTES = 64 * 1024

/** Time in which a client must be authorized. */
const AUTHORIZATION_TIMEOUT_MS = 10_000

/** Time without data after which a publisher counts as disconnected. */
const IDLE_TIMEOUT_MS = 15_000

/**
 * Kinds of tags by the type of the message and the flags of the library. Messages that the library does not know have the
 * flags of an audio header.
 */
const KINDS: Readonly<Record<number, Readonly<Record<number, MediaTag['kind']>>>> = {
  8: { 0: 'audio-header', 1: 'audio' },
  9: { 2: 'video-header', 3: 'keyframe', 4: 'video' },
  18: { 5: 'metadata' },
}

/** Receives what an authorized publisher sends. */
export interface PublisherHandler {
  onTag(tag: MediaTag): void
  /** Called once, when the connection is closed. */
  onEnd(): void
}

/**
 * The connection of a client that publishes to the RTMP ingest. Until it has named a valid stream key, it may send only
 * a few bytes, and it can never play.
 */
export class RtmpPublisher {
  readonly #socket: Socket
  readonly #protocol: PublishProtocol
  readonly #authorize: (key: string, publisher: RtmpPublisher) => PublisherHandler | undefined
  readonly #deadline: NodeJS.Timeout
  #handler: PublisherHandler | undefined
  #received = 0
  #acknowledged = 0

  /** @param authorize returns the handler for a stream key; undefined if the key is invalid */
  constructor(
    socket: Socket,
    authorize: (key: string, publisher: RtmpPublisher) => PublisherHandler | undefined,
  ) {
    this.#socket = socket
    this.#authorize = authorize
    this.#protocol = new PublishProtocol({
      send: (data) => this.#send(data),
      authorize: (key) => this.#accept(key),
      onPacket: (packet) => this.#forward(packet),
      end: () => this.close(),
    })
    this.#deadline = setTimeout(() => this.close(), AUTHORIZATION_TIMEOUT_MS)
    this.#deadline.unref()
    socket.setNoDelay()
    socket.on('data', (data) => this.#receive(data))
    socket.on('error', () => {})
    socket.on('timeout', () => this.close())
    socket.once('close', () => {
      clearTimeout(this.#deadline)
      this.#handler?.onEnd()
      this.#handler = undefined
    })
  }

  get isAuthorized(): boolean {
    return this.#handler !== undefined
  }

  /** Disconnects the client. */
  close(): void {
    this.#socket.destroy()
  }

  #accept(key: string): boolean {
    const handler = this.#handler ? undefined : this.#authorize(key, this)
    if (!handler) {
      // The client is told why before the connection is closed.
      this.#socket.destroySoon()
      return false
    }
    clearTimeout(this.#deadline)
    this.#handler = handler
    this.#socket.setTimeout(IDLE_TIMEOUT_MS)
    return true
  }

  #receive(data: Buffer): void {
    this.#received += data.length
    if (!this.#handler && this.#received > MAX_UNAUTHORIZED_BYTES) return this.close()
    try {
      if (this.#protocol.parserData(data) !== null) return this.close()
    } catch {
      return this.close()
    }
    if (this.#received - this.#acknowledged < ACKNOWLEDGE_EVERY_BYTES) return
    this.#acknowledged = this.#received
    this.#protocol.acknowledge(this.#received)
  }

  /** Sends a response, unless the client requests more of them than it reads. */
  #send(data: Buffer): void {
    this.#socket.write(data)
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.close()
  }

  #forward({ codec_type: type, flags, dts, data, size }: AvPacket): void {
    const kind = KINDS[type]?.[flags]
    if (!kind || size === 0) return
    // The library reuses the buffer for the next message.
    this.#handler?.onTag({ kind, timestamp: dts, data: Buffer.from(data.subarray(0, size)) })
  }
}

interface PublishProtocolOptions {
  send(data: Buffer): void
  authorize(key: string): boolean
  onPacket(packet: AvPacket): void
  end(): void
}

/** The RTMP protocol of the library, restricted to publishing, and with bounds on what a client makes it allocate. */
class PublishProtocol extends Rtmp {
  readonly #options: PublishProtocolOptions
  #isAuthorized = false

  constructor(options: PublishProtocolOptions) {
    super()
    this.#options = options
    this.onOutputCallback = (data) => options.send(data)
    this.onPacketCallback = (packet) => {
      if (this.#isAuthorized) options.onPacket(packet)
    }
  }

  acknowledge(bytes: number): void {
    this.sendACK(bytes % 2 ** 32)
  }

  protected override packetAlloc(): void {
    const limit = this.#isAuthorized ? MAX_MESSAGE_BYTES : MAX_UNAUTHORIZED_BYTES
    if (this.parserPacket.header.length > limit) throw new Error('The message is too long')
    if (this.inPackets.size > MAX_CHUNK_STREAMS) throw new Error('Too many chunk streams')
    super.packetAlloc()
  }

  protected override controlHandler(): void {
    super.controlHandler()
    if (this.inChunkSize < 1 || this.inChunkSize > MAX_CHUNK_BYTES) throw new Error('Invalid chunk size')
  }

  /** Called when a client wants to publish. */
  protected override respondPublish(): void {
    this.#isAuthorized = this.#options.authorize(this.streamName)
    if (this.#isAuthorized)
      this.sendStatusMessage(this.streamId, 'status', 'NetStream.Publish.Start', 'Publishing')
    else this.sendStatusMessage(this.streamId, 'error', 'NetStream.Publish.BadName', 'Unknown stream key')
  }

  protected override onPlay(): void {
    this.#options.end()
  }

  protected override onDeleteStream(): void {
    this.#options.end()
  }
}
