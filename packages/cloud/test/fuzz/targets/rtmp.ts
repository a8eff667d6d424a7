import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { encodeAmf0 } from '../../../src/features/video/local/amf0.ts'
import { flvTag, type MediaTag } from '../../../src/features/video/local/media-tag.ts'
import { encodeControl, encodeMessage, MESSAGE_TYPE } from '../../../src/features/video/local/rtmp-chunks.ts'
import { RtmpPublisher } from '../../../src/features/video/local/rtmp-publisher.ts'
import type { FuzzTarget } from '../target.ts'

const KEY = 'key'

/** The version and the two parts of a handshake, which precede inputs unless their first byte has its highest bit. */
const HANDSHAKE = Buffer.concat([Buffer.of(3), Buffer.alloc(2 * 1536)])

const command = (streamId: number, ...values: Parameters<typeof encodeAmf0>) =>
  encodeMessage(MESSAGE_TYPE.command, streamId, encodeAmf0(...values))
const connect = command(0, 'connect', 1, { app: 'live', tcUrl: 'rtmp://localhost/live' })
const publish = command(1, 'publish', 4, null, KEY, 'live')
const published = [connect, command(0, 'createStream', 2, null), publish]
/** The first byte selects how the input is divided. */
const session = (...parts: Uint8Array[]) => Buffer.concat([Buffer.of(7), ...parts])

/** A socket that counts what it is sent, and is never connected. */
class SilentSocket extends EventEmitter {
  sentBytes = 0
  isClosed = false
  readonly writableLength = 0

  get writable(): boolean {
    return !this.isClosed
  }

  write(data: Buffer): boolean {
    this.sentBytes += data.length
    return true
  }

  destroy(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.emit('close')
  }

  destroySoon(): void {
    this.destroy()
  }

  setNoDelay(): void {}
  setTimeout(): void {}
}

/** What a publisher did, in a form that does not depend on the pieces in which its bytes arrived. */
function receive(pieces: Iterable<Buffer>): readonly string[] {
  const socket = new SilentSocket()
  const seen: string[] = []
  let ended = 0
  let isAuthorized = false
  // The reader uses these methods of a socket only.
  new RtmpPublisher(socket as unknown as Socket, (key) => {
    assert.equal(isAuthorized, false, 'a client is authorized once')
    seen.push(`publish ${key}`)
    if (key !== KEY) return undefined
    isAuthorized = true
    return {
      onTag(tag: MediaTag) {
        assert.equal(socket.isClosed, false, 'a tag after the end')
        assert.ok(tag.data.length > 0)
        const flv = flvTag(tag)
        assert.equal(flv.length, flv.readUInt32BE(flv.length - 4) + 4)
        seen.push(`${tag.kind} ${tag.timestamp} ${tag.data.toString('base64')}`)
      },
      onEnd() {
        ended += 1
      },
    }
  })
  let received = 0
  for (const piece of pieces) {
    if (socket.isClosed) break
    received += piece.length
    socket.emit('data', piece)
  }
  const wasClosed = socket.isClosed
  socket.destroy()
  assert.equal(ended, isAuthorized ? 1 : 0, 'the end is reported once')
  assert.ok(socket.sentBytes <= 4 * 1024 + 64 * received, 'answers are not much longer than requests')
  return [...seen, wasClosed ? 'closed' : 'open']
}

function* inPieces(data: Buffer, bytes: number): Generator<Buffer> {
  for (let start = 0; start < data.length; start += bytes)
    yield Buffer.from(data.subarray(start, start + bytes))
}

/** The ingest for RTMP: handshake, chunks, commands and media. */
export const target: FuzzTarget = {
  maxBytes: 8 * 1024,
  open: () => ({
    seeds: [
      session(...published, encodeMessage(MESSAGE_TYPE.video, 1, Buffer.of(0x17, 1, 0, 0, 0, 1, 2, 3))),
      session(...published, encodeMessage(MESSAGE_TYPE.audio, 1, Buffer.of(0xaf, 0, 0x12, 0x10))),
      session(...published, encodeMessage(MESSAGE_TYPE.video, 1, Buffer.from('\u0090hvc1abc', 'latin1'))),
      session(
        ...published,
        encodeMessage(MESSAGE_TYPE.data, 1, encodeAmf0('@setDataFrame', 'onMetaData', { width: 1 })),
      ),
      session(encodeControl(MESSAGE_TYPE.setChunkSize, 4096), connect, encodeControl(MESSAGE_TYPE.abort, 3)),
      session(command(1, 'publish', 4, null, 'other')),
      session(command(0, 'FCPublish', 3, null, KEY), command(0, 'deleteStream', 5, null, 1)),
      Buffer.concat([Buffer.of(0x81), HANDSHAKE, connect]),
      Buffer.of(0x80, 6, 0, 0),
    ],
    dictionary: [
      ...[
        'connect',
        'publish',
        'createStream',
        'FCPublish',
        'deleteStream',
        'play',
        'releaseStream',
        KEY,
        'av01',
        'vp09',
        'hvc1',
      ],
      ...[
        Buffer.of(0, 0, 9),
        Buffer.of(3),
        Buffer.of(8),
        Buffer.of(10),
        Buffer.of(12),
        Buffer.of(0xff, 0xff, 0xff),
      ],
      ...[publish, connect, encodeControl(MESSAGE_TYPE.setChunkSize, 1)],
    ],
    run(input) {
      const [first = 0] = input
      const data = first < 0x80 ? Buffer.concat([HANDSHAKE, input.subarray(1)]) : input.subarray(1)
      const whole = receive([Buffer.from(data)])
      const parts = receive(inPieces(data, 1 + (first % 97)))
      // The end of a connection discards what follows in the same piece.
      const shorter = Math.min(whole.length, parts.length) - 1
      assert.deepEqual(parts.slice(0, shorter), whole.slice(0, shorter), 'pieces make no difference')
      assert.equal(parts.at(-1), whole.at(-1))
    },
  }),
}
