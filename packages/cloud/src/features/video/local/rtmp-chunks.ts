import { randomBytes } from 'node:crypto'

/** Types of messages of RTMP. */
export const MESSAGE_TYPE = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  amf3Command: 17,
  data: 18,
  command: 20,
} as const

const VERSION = 3
const HANDSHAKE_BYTES = 1536

const FIRST_CHUNK_BYTES = 128
const MAX_CHUNK_BYTES = 1024 * 1024

/** Publishers use four chunk streams. */
const MAX_CHUNK_STREAMS = 16

/** Bytes of the header after the id of the chunk stream, by the format of the chunk; the fourth has none. */
const HEADER_BYTES = [11, 7, 3]

/** The timestamp of a header whose timestamp follows in four bytes. */
const EXTENDED_TIMESTAMP = 0xffffff

/** A message of a client. */
export interface RtmpMessage {
  readonly type: number
  readonly streamId: number
  /** Milliseconds. */
  readonly timestamp: number
  readonly payload: Buffer
}

export interface RtmpReaderEvents {
  /** @param challenge what the response to the handshake repeats */
  onHandshake(challenge: Buffer): void
  onMessage(message: RtmpMessage): void
  /** Returns how many bytes the messages that are being received may have together. */
  maxMessageBytes(): number
}

/** A sequence of messages, which may be interleaved with other sequences. */
interface ChunkStream {
  type: number
  streamId: number
  length: number
  timestamp: number
  /** The last timestamp that was received, or difference to the timestamp before it. */
  step: number
  isExtended: boolean
  /** The message that is being received. */
  payload: Buffer | undefined
  received: number
}

/** Reads the bytes of a client: the handshake, then messages in chunks. Every byte is copied once. */
export class RtmpReader {
  readonly #events: RtmpReaderEvents
  readonly #chunkStreams = new Map<number, ChunkStream>()
  readonly #steps: Generator<Buffer, never>
  /** Filled with the next bytes. */
  #target: Buffer
  #filled = 0
  #chunkBytes = FIRST_CHUNK_BYTES
  /** Length of the messages that are being received. */
  #announcedBytes = 0

  constructor(events: RtmpReaderEvents) {
    this.#events = events
    this.#steps = this.#read()
    this.#target = this.#steps.next().value
  }

  /** @throws Error if the data is invalid or exceeds a limit; the reader cannot be used any more */
  push(data: Buffer): void {
    for (let offset = 0; offset < data.length; ) {
      const copied = data.copy(this.#target, this.#filled, offset)
      offset += copied
      this.#filled += copied
      if (this.#filled < this.#target.length) return
      this.#filled = 0
      this.#target = this.#steps.next().value
    }
  }

  /** Yields buffers, none of them empty, and continues when they are filled. */
  *#read(): Generator<Buffer, never> {
    const handshake = Buffer.allocUnsafe(HANDSHAKE_BYTES)
    yield handshake.subarray(0, 1)
    if (handshake[0] !== VERSION) throw new Error('The version of RTMP is not supported')
    yield handshake
    this.#events.onHandshake(handshake)
    yield handshake

    // Views that are made once, and one generator instead of nested ones: a client may send chunks of one byte.
    const header = Buffer.alloc(11)
    const one = header.subarray(0, 1)
    while (true) {
      yield one
      const first = header.readUInt8()
      const format = first >> 6
      let id = first & 0x3f
      if (id <= 1) {
        yield header.subarray(0, id + 1)
        id = 64 + header.readUIntLE(0, id + 1)
      }
      const stream = this.#chunkStreams.get(id) ?? this.#openChunkStream(id)

      if (format <= 2) {
        yield header.subarray(0, HEADER_BYTES[format])
        stream.step = header.readUIntBE(0, 3)
        stream.isExtended = stream.step === EXTENDED_TIMESTAMP
      }
      if (format <= 1) {
        const length = header.readUIntBE(3, 3)
        if (stream.payload && length !== stream.length) throw new Error('The length of a message changed')
        stream.length = length
        stream.type = header.readUInt8(6)
      }
      if (format === 0) stream.streamId = header.readUInt32LE(7)
      if (stream.isExtended) {
        yield header.subarray(0, 4)
        stream.step = header.readUInt32BE()
      }

      if (!stream.payload) {
        stream.timestamp = ((format === 0 ? 0 : stream.timestamp) + stream.step) % 2 ** 32
        stream.payload = this.#allocate(stream.length)
        stream.received = 0
      }
      const end = Math.min(stream.received + this.#chunkBytes, stream.length)
      if (end > stream.received) yield stream.payload.subarray(stream.received, end)
      stream.received = end
      if (end === stream.length) this.#finish(stream, stream.payload)
    }
  }

  #openChunkStream(id: number): ChunkStream {
    if (this.#chunkStreams.size >= MAX_CHUNK_STREAMS) throw new Error('Too many chunk streams')
    const stream: ChunkStream = {
      ...{ type: 0, streamId: 0, length: 0, timestamp: 0, step: 0, isExtended: false },
      ...{ payload: undefined, received: 0 },
    }
    this.#chunkStreams.set(id, stream)
    return stream
  }

  #allocate(bytes: number): Buffer {
    this.#announcedBytes += bytes
    if (this.#announcedBytes > this.#events.maxMessageBytes()) throw new Error('The message is too long')
    return Buffer.allocUnsafe(bytes)
  }

  #finish(stream: ChunkStream, payload: Buffer): void {
    this.#discard(stream)
    const { type, streamId, timestamp } = stream
    if (type === MESSAGE_TYPE.setChunkSize) {
      this.#chunkBytes = payload.readUInt32BE()
      if (this.#chunkBytes < 1 || this.#chunkBytes > MAX_CHUNK_BYTES) throw new Error('Invalid chunk size')
    } else if (type === MESSAGE_TYPE.abort) {
      const aborted = this.#chunkStreams.get(payload.readUInt32BE())
      if (aborted) this.#discard(aborted)
    } else this.#events.onMessage({ type, streamId, timestamp, payload })
  }

  #discard(stream: ChunkStream): void {
    if (stream.payload) this.#announcedBytes -= stream.length
    stream.payload = undefined
  }
}

/** Returns the server's part of the simple handshake. */
export function handshakeResponse(challenge: Buffer): Buffer {
  const versionAndTime = Buffer.from([VERSION, 0, 0, 0, 0, 0, 0, 0, 0])
  return Buffer.concat([versionAndTime, randomBytes(HANDSHAKE_BYTES - 8), challenge])
}

/** Encodes a message as one chunk, for which it must not be longer than the chunk size that was announced. */
export function encodeMessage(type: number, streamId: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(12)
  const isCommand = type === MESSAGE_TYPE.command
  header.writeUInt8(isCommand ? 3 : 2, 0)
  header.writeUIntBE(payload.length, 4, 3)
  header.writeUInt8(type, 7)
  header.writeUInt32LE(streamId, 8)
  return Buffer.concat([header, payload])
}

/** Encodes a message that controls the connection: a number of 32 bits, and for some types more. */
export function encodeControl(type: number, value: number, ...more: number[]): Buffer {
  const payload = Buffer.from([0, 0, 0, 0, ...more])
  payload.writeUInt32BE(value % 2 ** 32)
  return encodeMessage(type, 0, payload)
}
