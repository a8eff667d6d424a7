import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MediaTag } from './media-tag.ts'
import { RtmpPublisher } from './rtmp-publisher.ts'

const COMMAND = 20
const HANDSHAKE_BYTES = 1 + 2 * 1536

/** A message of at most 128 bytes, which is one chunk. */
function message(type: number, payload: Buffer): Buffer {
  const header = Buffer.from([3, 0, 0, 0, 0, 0, payload.length, type, 1, 0, 0, 0])
  return Buffer.concat([header, payload])
}

function command(name: string, ...values: string[]): Buffer {
  const encode = (text: string) => Buffer.concat([Buffer.from([2, 0, text.length]), Buffer.from(text)])
  const transactionAndObject = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 5])
  return message(COMMAND, Buffer.concat([encode(name), transactionAndObject, ...values.map(encode)]))
}

/** A publisher whose client has named its key, and reads no response. */
async function publish(t: TestContext) {
  const socket = new Duplex({ read() {}, write() {} })
  Object.assign(socket, { setNoDelay() {}, setTimeout() {}, destroySoon: () => socket.destroy() })
  t.after(() => socket.destroy())
  const tags: MediaTag[] = []
  const publisher = new RtmpPublisher(socket as unknown as Socket, () => ({
    onTag: (tag) => tags.push(tag),
    onEnd() {},
  }))
  const send = async (data: Buffer) => {
    socket.push(data)
    await nextTurn()
  }
  await send(Buffer.alloc(HANDSHAKE_BYTES, 3))
  await send(command('publish', 'key', 'live'))
  assert.ok(publisher.isAuthorized)
  return { socket, tags, send }
}

test('STR-107: messages that are neither audio, video nor metadata are not taken for one of them', async (t) => {
  const { tags, send } = await publish(t)
  const audioHeader = Buffer.from([0xaf, 0, 0x12, 0x10])
  await send(message(8, audioHeader))
  // The end of a sequence, and a codec that the library does not know, in enhanced RTMP; then data in AMF3.
  await send(message(9, Buffer.from('\x92hvc1', 'latin1')))
  await send(message(9, Buffer.from('\x91avc1frame', 'latin1')))
  await send(message(15, Buffer.from([0, 2, 0, 1, 65])))
  assert.deepEqual(
    tags.map(({ kind, data }) => [kind, data]),
    [['audio-header', audioHeader]],
  )
})

test('STR-107: a client that reads no responses is disconnected', async (t) => {
  const { socket, send } = await publish(t)
  const requests = Buffer.concat(Array.from({ length: 500 }, () => command('createStream')))
  for (let sent = 0; sent < 10 && !socket.destroyed; sent += 1) await send(requests)
  assert.ok(socket.destroyed, `${socket.writableLength} bytes wait for the client`)
})
