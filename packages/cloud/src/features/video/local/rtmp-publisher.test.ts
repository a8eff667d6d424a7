import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { ffmpegMissing } from '../../../../test/support/media.ts'
import type { Scope } from '../../../../test/support/scope.ts'
import { Amf0Reader, encodeAmf0 } from './amf0.ts'
import type { MediaTag } from './media-tag.ts'
import { encodeControl, MESSAGE_TYPE, type RtmpMessage, RtmpReader } from './rtmp-chunks.ts'
import { INGEST_APP, RtmpIngest } from './rtmp-ingest.ts'
import { RtmpPublisher } from './rtmp-publisher.ts'

/** A fixed seed makes runs reproducible; `PROPERTY_SEED=$RANDOM` tries another one, `PROPERTY_RUNS` more runs. */
const property = {
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  numRuns: Number(process.env.PROPERTY_RUNS ?? 300),
}

const HANDSHAKE = Buffer.alloc(1 + 2 * 1536, 3)
const MEBIBYTE = 1024 * 1024

/** The first chunk of a message. */
function chunk(type: number, length: number, payload: Buffer, { id = 3, timestamp = 0 } = {}): Buffer {
  const header = Buffer.from([id, 0, 0, 0, 0, 0, 0, type, 1, 0, 0, 0])
  header.writeUIntBE(timestamp, 1, 3)
  header.writeUIntBE(length, 4, 3)
  return Buffer.concat([header, payload])
}

/** A message of at most 128 bytes, which is one chunk. */
const message = (type: number, payload: Buffer) => chunk(type, payload.length, payload)

const command = (name: string, ...values: string[]) =>
  message(MESSAGE_TYPE.command, encodeAmf0(name, 7, null, ...values))

/** Connects a client. It reads no response unless `reads` is set. */
function connectClient({ reads = false } = {}) {
  const sent: Buffer[] = []
  const socket = new Duplex({
    read() {},
    write(data: Buffer, _encoding, done) {
      sent.push(data)
      if (reads) done()
    },
  })
  Object.assign(socket, { setNoDelay() {}, setTimeout() {}, destroySoon: () => socket.end().destroy() })
  const tags: MediaTag[] = []
  const keys: string[] = []
  const publisher = new RtmpPublisher(socket as unknown as Socket, (key) => {
    keys.push(key)
    return key === 'key' ? { onTag: (tag) => tags.push(tag), onEnd() {} } : undefined
  })
  /** The ingest receives the data within this call. */
  const send = (data: Buffer) => {
    if (!socket.destroyed) socket.emit('data', data)
  }
  return { socket, publisher, tags, keys, sent, send }
}

/** Connects a client that has named its key. */
function connectPublisher(options: { reads?: boolean } = {}) {
  const client = connectClient(options)
  client.send(HANDSHAKE)
  client.send(command('publish', 'key', 'live'))
  assert.ok(client.publisher.isAuthorized)
  return client
}

/** What the ingest sent, as commands with their text and numbers and as types of other messages. */
function responses(sent: readonly Buffer[]) {
  const messages: RtmpMessage[] = []
  const onMessage = (received: RtmpMessage) => messages.push(received)
  new RtmpReader({ onHandshake() {}, onMessage, maxMessageBytes: () => MEBIBYTE }).push(Buffer.concat(sent))
  return messages.map(({ type, payload }) => {
    if (type !== MESSAGE_TYPE.command) return `${type}: ${payload.readUInt32BE()}`
    const values = new Amf0Reader(payload)
    const shown = [values.read(), values.read(), values.read(), values.read()].join(' ')
    return `${shown} ${/Net\w+\.\w+\.\w+/.exec(payload.toString('latin1')) ?? ''}`.trim()
  })
}

/** The bytes that ffmpeg sends to publish a second of a test picture with a tone. */
async function recordPublisher(scope: Scope): Promise<Buffer> {
  const ingest = await RtmpIngest.listen('127.0.0.1', 0)
  scope.after(() => ingest.close())
  ingest.register('key', () => ({ onTag() {}, onEnd() {} }))
  const recorded: Buffer[] = []
  const proxy = createServer((client) => {
    const server = connect(ingest.port, '127.0.0.1')
    client.on('data', (data) => recorded.push(data))
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => client.destroy())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  scope.after(() => proxy.close())
  const address = proxy.address()
  assert.ok(address && typeof address === 'object')
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-f', 'lavfi', '-i', 'sine', '-t', '1']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-b:v', '100k', '-c:a', 'aac']
  const url = `rtmp://127.0.0.1:${address.port}/${INGEST_APP}/key`
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...inputs, ...codecs, '-f', 'flv', url])
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  return Buffer.concat(recorded)
}

/** Sends a recording in pieces, which are small enough for a client that is not authorized yet. */
function replay(recording: Buffer, pieceBytes: (offset: number) => number) {
  const client = connectClient({ reads: true })
  for (let offset = 0; offset < recording.length; ) {
    const end = offset + pieceBytes(offset)
    client.send(recording.subarray(offset, end))
    offset = end
  }
  return client
}

describe('RTMP publisher', () => {
  test('STR-107: messages that are neither audio, video nor metadata are not taken for one of them', () => {
    const { tags, send } = connectPublisher()
    const audioHeader = Buffer.from([0xaf, 0, 0x12, 0x10])
    send(message(8, audioHeader))
    // The end of a sequence, and a codec that is not supported, in enhanced RTMP; then data in AMF3.
    send(message(9, Buffer.from('\x92hvc1', 'latin1')))
    send(message(9, Buffer.from('\x91avc1frame', 'latin1')))
    send(message(15, Buffer.from([0, 2, 0, 1, 65])))
    assert.deepEqual(
      tags.map(({ kind, data }) => [kind, data]),
      [['audio-header', audioHeader]],
    )
  })

  test('STR-107: a client that reads no responses is disconnected', async () => {
    const { socket, send } = connectPublisher()
    const requests = Buffer.concat(Array.from({ length: 500 }, () => command('createStream')))
    for (let sent = 0; sent < 10 && !socket.destroyed; sent += 1) {
      send(requests)
      await nextTurn()
    }
    assert.ok(socket.destroyed, `${socket.writableLength} bytes wait for the client`)
  })

  test('STR-107: a client that names no key in time, or sends more before, is disconnected', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const [slow, publisher] = [connectClient(), connectPublisher()]
    slow.send(HANDSHAKE)
    t.mock.timers.tick(9_999)
    assert.equal(slow.socket.destroyed, false)
    t.mock.timers.tick(1)
    assert.deepEqual([slow.socket.destroyed, publisher.socket.destroyed], [true, false])
    const verbose = connectClient()
    verbose.send(HANDSHAKE)
    const ping = message(4, Buffer.alloc(116))
    for (let bytes = HANDSHAKE.length; bytes <= 16_384; bytes += ping.length) {
      assert.equal(verbose.socket.destroyed, false)
      verbose.send(ping)
    }
    assert.ok(verbose.socket.destroyed)
  })

  test('STR-117: commands of a publisher are answered, in AMF0 and in AMF3 commands', () => {
    const { sent, send, socket, keys } = connectClient({ reads: true })
    send(HANDSHAKE)
    const connectObject = { app: 'live', tcUrl: 'rtmp://localhost/live', nested: 1 }
    send(message(MESSAGE_TYPE.command, encodeAmf0('connect', 1, connectObject)))
    send(
      message(MESSAGE_TYPE.amf3Command, Buffer.concat([Buffer.alloc(1), encodeAmf0('FCPublish', 2, null)])),
    )
    send(
      Buffer.concat([command('createStream'), command('unknown'), command('publish', 'key?user=1', 'live')]),
    )
    assert.deepEqual(keys, ['key?user=1'])
    assert.deepEqual(responses(sent), [
      '5: 5000000',
      '6: 5000000',
      '_result 1   NetConnection.Connect.Success',
      '_result 2',
      '_result 7  1',
      'onStatus 0   NetStream.Publish.BadName',
    ])
    assert.ok(socket.destroyed)
  })

  test('STR-117: a publisher is acknowledged, and disconnected when it deletes its stream', () => {
    const { sent, send, socket, tags } = connectPublisher({ reads: true })
    send(encodeControl(MESSAGE_TYPE.setChunkSize, MEBIBYTE))
    for (let count = 0; count < 3; count += 1) send(message(8, Buffer.alloc(MEBIBYTE, 0xaf)))
    assert.deepEqual(
      responses(sent).map((response) => response.split(':')[0]),
      ['onStatus 0   NetStream.Publish.Start', String(MESSAGE_TYPE.acknowledgement)],
    )
    send(Buffer.concat([command('deleteStream'), message(8, Buffer.from([0xaf, 1]))]))
    assert.ok(socket.destroyed)
    assert.equal(tags.length, 3, 'nothing is received after the end')
  })

  test('STR-117: messages may be interleaved, aborted, and have extended timestamps', () => {
    const { send, tags } = connectPublisher()
    const [audio, video] = [Buffer.alloc(200, 0x2f), Buffer.alloc(300, 0x22)]
    send(chunk(8, 200, audio.subarray(0, 128), { id: 4, timestamp: 40 }))
    send(chunk(9, 300, video.subarray(0, 128), { id: 5, timestamp: 50 }))
    send(Buffer.concat([Buffer.from([0xc4]), audio.subarray(128)]))
    send(Buffer.concat([Buffer.from([0xc5]), video.subarray(128, 256)]))
    send(Buffer.concat([Buffer.from([0xc5]), video.subarray(256)]))
    // A message with the header of an earlier one is as much later as that one was.
    const repeated = Buffer.concat([Buffer.from([0xc4]), audio.subarray(0, 128)])
    send(Buffer.concat([repeated, Buffer.from([0xc4]), audio.subarray(128)]))
    send(Buffer.concat([repeated, encodeControl(MESSAGE_TYPE.abort, 4)]))
    send(chunk(8, 1, Buffer.from([0x2f]), { id: 4, timestamp: 90 }))
    const later = Buffer.from([1, 0, 0, 2])
    send(Buffer.concat([chunk(8, 2, later, { id: 6, timestamp: 0xffffff }), Buffer.from([0x2f, 1])]))
    assert.deepEqual(
      tags.map(({ kind, timestamp, data }) => [kind, timestamp, data.length]),
      [
        ['audio', 40, 200],
        ['video', 50, 300],
        ['audio', 80, 200],
        ['audio', 90, 1],
        ['audio', 0x1000002, 2],
      ],
    )
    assert.deepEqual([tags[0]?.data, tags[1]?.data], [audio, video])
  })

  test('STR-118: a client that sends invalid RTMP is disconnected', () => {
    const nested = (depth: number) =>
      Buffer.from(`${'03000161'.repeat(depth)}05${'000009'.repeat(depth)}`, 'hex')
    const connectWith = (object: Buffer) =>
      message(MESSAGE_TYPE.command, Buffer.concat([encodeAmf0('connect', 1), object]))
    const invalid: Readonly<Record<string, readonly Buffer[]>> = {
      'another version': [Buffer.from([6])],
      'a chunk size of 0': [HANDSHAKE, encodeControl(MESSAGE_TYPE.setChunkSize, 0)],
      'a chunk size above 1 MiB': [HANDSHAKE, encodeControl(MESSAGE_TYPE.setChunkSize, MEBIBYTE + 1)],
      'an incomplete control message': [HANDSHAKE, message(MESSAGE_TYPE.setChunkSize, Buffer.alloc(2))],
      'a length that changes': [
        HANDSHAKE,
        chunk(8, 200, Buffer.alloc(128)),
        chunk(8, 201, Buffer.alloc(128)),
      ],
      'many chunk streams': [
        HANDSHAKE,
        ...Array.from({ length: 17 }, (_, id) => chunk(8, 1, Buffer.alloc(1), { id: id + 3 })),
      ],
      'deep nesting': [HANDSHAKE, connectWith(nested(8)), connectWith(nested(9))],
      'an incomplete value': [HANDSHAKE, connectWith(Buffer.from([2, 0, 9, 65]))],
      'an endless array': [HANDSHAKE, connectWith(Buffer.from([10, 255, 255, 255, 255]))],
      'an unknown value': [HANDSHAKE, connectWith(Buffer.from([17]))],
      'a long message': [HANDSHAKE, chunk(MESSAGE_TYPE.command, 16_385, Buffer.alloc(1))],
      playback: [HANDSHAKE, command('play', 'key')],
    }
    for (const [name, pieces] of Object.entries(invalid)) {
      const { send, socket } = connectClient({ reads: true })
      for (const piece of pieces) {
        assert.equal(socket.destroyed, false, `${name}: disconnected too early`)
        send(piece)
      }
      assert.ok(socket.destroyed, name)
    }
  })

  test('STR-118: incomplete messages of a publisher are bounded together', () => {
    const { send, socket } = connectPublisher({ reads: true })
    const half = (id: number) => chunk(9, 2 * MEBIBYTE, Buffer.alloc(128), { id })
    send(Buffer.concat([half(4), half(5)]))
    assert.equal(socket.destroyed, false)
    send(half(6))
    assert.ok(socket.destroyed)
    const other = connectPublisher({ reads: true })
    other.send(encodeControl(MESSAGE_TYPE.setChunkSize, MEBIBYTE))
    other.send(message(MESSAGE_TYPE.command, Buffer.alloc(16_385)))
    assert.ok(other.socket.destroyed, 'a long command')
  })

  test('STR-118: arbitrary bytes do no more than disconnect their client', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const pieces = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 })
    fc.assert(
      fc.property(pieces, fc.boolean(), (sent, isAuthorized) => {
        const client = isAuthorized ? connectPublisher({ reads: true }) : connectClient({ reads: true })
        if (!isAuthorized) client.send(HANDSHAKE)
        for (const piece of sent) client.send(Buffer.from(piece))
        const bytes = sent.reduce((sum, piece) => sum + piece.length, 0)
        assert.ok(client.tags.reduce((sum, { data }) => sum + data.length, 0) <= bytes)
        t.mock.timers.tick(10_000)
        assert.equal(client.socket.destroyed || isAuthorized, true)
        client.publisher.close()
      }),
      property,
    )
  })
})

describe('RTMP publisher with ffmpeg', { skip: ffmpegMissing }, () => {
  test('STR-117 STR-118: a recorded publisher is understood in pieces of any size, and harmless if it is damaged', async (t) => {
    const recording = await recordPublisher(t)
    const whole = replay(recording, () => 1_024)
    const kinds = new Set(whole.tags.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), [
      'audio',
      'audio-header',
      'keyframe',
      'metadata',
      'video',
      'video-header',
    ])
    assert.ok(whole.socket.destroyed, 'ffmpeg deletes its stream at the end')
    assert.deepEqual(replay(recording, () => 1).tags, whole.tags)
    const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(sizes, (each) => {
        const { tags } = replay(recording, (offset) => each[offset % each.length] ?? 1)
        assert.deepEqual(tags, whole.tags)
      }),
      { ...property, numRuns: property.numRuns / 10 },
    )
    const edit = fc.record({
      // Most bytes are content of media: the handshake and the commands are damaged as often.
      at: fc.oneof(fc.nat(5_000), fc.nat(recording.length)),
      removed: fc.nat(40),
      added: fc.uint8Array({ maxLength: 40 }),
    })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 8 }), sizes, (edits, each) => {
        const damaged = edits.reduce(
          (bytes, { at, removed, added }) =>
            Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]),
          recording,
        )
        const client = replay(damaged, (offset) => each[offset % each.length] ?? 1)
        const received = client.tags.reduce((sum, { data }) => sum + data.length, 0)
        assert.ok(received <= damaged.length)
        t.mock.timers.tick(10_000)
        assert.ok(client.socket.destroyed || client.publisher.isAuthorized)
        client.publisher.close()
      }),
      property,
    )
  })
})
