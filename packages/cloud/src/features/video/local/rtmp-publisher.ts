import type { Socket } from 'node:net'
import { Amf0Reader, type Amf0Value, encodeAmf0 } from './amf0.ts'
import { type MediaTag, mediaKind } from './media-tag.ts'
import {
  encodeControl,
  encodeMessage,
  handshakeResponse,
  MESSAGE_TYPE,
  type RtmpMessage,
  RtmpReader,
} from './rtmp-chunks.ts'

/** Bytes that a client may send before it is authorized: handshake, connect and publish take about 4 KiB. */
const MAX_UNAUTHORIZED_BYTES = 16 * 1024

/** Commands are shorter. */
const MAX_COMMAND_BYTES = 16 * 1024

/** A message may be this long once the client is authorized: a keyframe in the highest quality. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** Bytes that a client may send without an acknowledgement. */
const WINDOW_BYTES = 5_000_000

/** Received bytes after which an acknowledgement is sent. */
const ACKNOWLEDGE_EVERY_BYTES = WINDOW_BYTES / 2

/** Responses are sent in one chunk each. */
const SENT_CHUNK_BYTES = 0xffff

/** The id of the one stream that a client can publish on a connection. */
const STREAM_ID = 1

/** Bytes of responses that may wait for a client. */
const MAX_UNREAD_BYTES = 64 * 1024

/** Time in which a client must be authorized. */
const AUTHORIZATION_TIMEOUT_MS = 10_000

/** Time without data after which a publisher counts as disconnected. */
const IDLE_TIMEOUT_MS = 15_000

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
  readonly #reader: RtmpReader
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
    this.#reader = new RtmpReader({
      onHandshake: (challenge) => this.#send(handshakeResponse(challenge)),
      onMessage: (message) => this.#handle(message),
      maxMessageBytes: () => (this.#handler ? MAX_MESSAGE_BYTES : MAX_UNAUTHORIZED_BYTES),
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

  #receive(data: Buffer): void {
    this.#received += data.length
    if (!this.#handler && this.#received > MAX_UNAUTHORIZED_BYTES) return this.close()
    try {
      this.#reader.push(data)
    } catch {
      return this.close()
    }
    if (this.#received - this.#acknowledged < ACKNOWLEDGE_EVERY_BYTES) return
    this.#acknowledged = this.#received
    this.#send(encodeControl(MESSAGE_TYPE.acknowledgement, this.#received))
  }

  #handle({ type, streamId, timestamp, payload }: RtmpMessage): void {
    // One read from a socket may contain more messages than the one that ended the connection.
    if (!this.#socket.writable) return
    if (type === MESSAGE_TYPE.command) return this.#handleCommand(payload, streamId)
    // Despite its name it contains AMF0, after a byte for its version.
    if (type === MESSAGE_TYPE.amf3Command) return this.#handleCommand(payload.subarray(1), streamId)
    const kind = mediaKind(type, payload)
    if (kind) this.#handler?.onTag({ kind, timestamp, data: payload })
  }

  /** Handles the commands of publishers, and ignores others. @throws Error if it is invalid */
  #handleCommand(payload: Buffer, streamId: number): void {
    if (payload.length > MAX_COMMAND_BYTES) throw new Error('The command is too long')
    const values = new Amf0Reader(payload)
    const name = values.read()
    const transaction = Number(values.read())
    // The object of the command, which only `connect` needs, of which no property changes the response.
    values.read()
    switch (name) {
      case 'connect':
        return this.#connect(transaction)
      case 'releaseStream':
      case 'FCPublish':
      case 'FCUnpublish':
        return this.#respond(0, '_result', transaction, null, null)
      case 'createStream':
        return this.#respond(0, '_result', transaction, null, STREAM_ID)
      case 'publish':
        return this.#publish(String(values.read()), streamId)
      case 'deleteStream':
      case 'play':
        return this.close()
    }
  }

  #connect(transaction: number): void {
    this.#send(encodeControl(MESSAGE_TYPE.windowAcknowledgementSize, WINDOW_BYTES))
    // 2: the client may replace an earlier limit, whatever its type.
    this.#send(encodeControl(MESSAGE_TYPE.setPeerBandwidth, WINDOW_BYTES, 2))
    this.#send(encodeControl(MESSAGE_TYPE.setChunkSize, SENT_CHUNK_BYTES))
    const server = { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }
    const code = 'NetConnection.Connect.Success'
    const description = 'Connection succeeded.'
    this.#respond(0, '_result', transaction, server, {
      level: 'status',
      code,
      description,
      objectEncoding: 0,
    })
  }

  /** Authorizes the client, or disconnects it after the reason was sent. */
  #publish(key: string, streamId: number): void {
    const handler = this.#handler ? undefined : this.#authorize(key, this)
    const status = handler
      ? { level: 'status', code: 'NetStream.Publish.Start', description: 'Publishing' }
      : { level: 'error', code: 'NetStream.Publish.BadName', description: 'Unknown stream key' }
    this.#respond(streamId, 'onStatus', 0, null, status)
    if (!handler) return this.#socket.destroySoon()
    clearTimeout(this.#deadline)
    this.#handler = handler
    this.#socket.setTimeout(IDLE_TIMEOUT_MS)
  }

  #respond(streamId: number, ...values: Amf0Value[]): void {
    this.#send(encodeMessage(MESSAGE_TYPE.command, streamId, encodeAmf0(...values)))
  }

  /** Sends a response, unless the client requests more of them than it reads. */
  #send(data: Buffer): void {
    this.#socket.write(data)
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.close()
  }
}
