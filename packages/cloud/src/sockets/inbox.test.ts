import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../session/testing/virtual-clock.ts'
import { WsGlassesPeer } from './glasses-peer.ts'
import { readInbox } from './inbox.ts'
import { defaultLimits } from './limits.ts'
import type { Heard } from './sound-reader.ts'
import { socketPair } from './testing/socket-pair.ts'

/** A socket being read; `settle` resolves when the reader has seen all that was sent. */
async function reading(t: { after(undo: () => unknown): void }) {
  const clock = new VirtualClock()
  const { server, client } = await socketPair(t)
  const peer = new WsGlassesPeer(
    server,
    defaultLimits,
    { audioDropped() {}, tooSlow() {} },
    undefined,
    'flat',
  )
  const heard: number[] = []
  const refused: string[] = []
  const messages: string[] = []
  const handlers = {
    message: ({ type }: { type: string }) => void messages.push(type),
    sound: {
      reader: () => peer.sound,
      heard: ({ pcm = Buffer.alloc(0) }: Heard) => {
        assert.equal(pcm.byteLength % 2, 0, 'samples are whole')
        heard.push(...pcm)
      },
    },
    refuse: (code: string) => void refused.push(code),
  }
  readInbox(server, peer, handlers, defaultLimits, clock)
  const settle = async () => {
    const pong = new Promise((resolve) => client.ws.once('pong', resolve))
    client.ws.ping()
    await pong
  }
  return { clock, client, heard, refused, messages, settle }
}

test('SOC-24: a sample cut in two is whole again with the next frame', async (t) => {
  const { client, heard, settle } = await reading(t)
  for (const frame of [[1], [2, 3], [4, 5, 6], [], [7], [8]]) client.send(Uint8Array.from(frame))
  await settle()
  assert.deepEqual(heard, [1, 2, 3, 4, 5, 6, 7, 8])
})

test('SOC-22 SOC-24: a frame too large is refused, and shifts no sample after it', async (t) => {
  const { client, heard, refused, settle } = await reading(t)
  client.send(Uint8Array.of(1))
  // One byte completes the sample before, the rest is lost whole samples.
  client.send(new Uint8Array(64 * 1024 + 1))
  client.send(Uint8Array.of(3, 4))
  client.send(new Uint8Array(64 * 1024 + 2))
  await settle()
  assert.deepEqual(heard, [3, 4])
  assert.deepEqual(refused, ['FRAME_TOO_LARGE'], 'said once a second')
})

test('SOC-21 SOC-24: sound beyond its budget is dropped, said once a second, and shifts no sample', async (t) => {
  const { clock, client, heard, refused, settle } = await reading(t)
  for (let n = 0; n < 4; n += 1) client.send(new Uint8Array(32_000))
  client.send(new Uint8Array(3_201).fill(1))
  client.send(new Uint8Array(3_201).fill(2))
  await settle()
  assert.equal(heard.length, 128_000)
  assert.deepEqual(refused, ['RATE_LIMITED'])
  clock.advance(100)
  client.send(Uint8Array.of(5, 6))
  await settle()
  assert.deepEqual(heard.slice(128_000), [5, 6])
})

test('SOC-21: tiny frames are no way around the budget', async (t) => {
  const { client, heard, refused, settle } = await reading(t)
  for (let n = 0; n < 2_010; n += 1) client.send(Uint8Array.of(1, 1))
  await settle()
  assert.equal(heard.length, 2 * 2_000)
  assert.deepEqual(refused, ['RATE_LIMITED'])
})

test('SOC-20: fifty messages a second, one word about the rest, sound not counted', async (t) => {
  const { clock, client, messages, refused, heard, settle } = await reading(t)
  for (let n = 0; n < 80; n += 1) client.send({ type: 'x' })
  client.send(Uint8Array.of(1, 2))
  await settle()
  assert.deepEqual([messages.length, refused, heard.length], [50, ['RATE_LIMITED'], 2])
  clock.advance(500)
  for (let n = 0; n < 30; n += 1) client.send({ type: 'y' })
  await settle()
  assert.deepEqual([messages.length, refused.length], [75, 1])
  clock.advance(500)
  for (let n = 0; n < 30; n += 1) client.send({ type: 'z' })
  await settle()
  assert.deepEqual([messages.length, refused.length], [100, 2])
})

test('SOC-27: a long message counts as many', async (t) => {
  const { clock, client, messages, refused, settle } = await reading(t)
  const long = (type: string, bytes: number) => {
    const empty = JSON.stringify({ type, text: '' })
    client.send(JSON.stringify({ type, text: 'x'.repeat(bytes - empty.length) }))
  }
  for (let n = 0; n < 2; n += 1) long('whole', 1024 * 1024)
  await settle()
  assert.deepEqual([messages.length, refused], [1, ['RATE_LIMITED']], 'thirty-two each')
  for (let n = 0; n < 9; n += 1) long('two', 32 * 1024 + 1)
  client.send({ type: 'none left' })
  await settle()
  assert.deepEqual(messages.slice(1), Array(9).fill('two'))
  clock.advance(20)
  long('one', 32 * 1024)
  await settle()
  assert.deepEqual(messages.slice(10), ['one'])
})

test('SOC-20: a ping is heard beside a spent budget, once a second', async (t) => {
  const { clock, client, refused, messages, settle } = await reading(t)
  const pings = () => messages.filter((type) => type === 'ping').length
  for (let n = 0; n < 60; n += 1) client.send({ type: 'noise' })
  for (let n = 0; n < 3; n += 1) client.send({ type: 'ping', timestamp: 1_795_305_488_936 })
  await settle()
  assert.deepEqual([messages.length, pings(), refused], [51, 1, ['RATE_LIMITED']])
  clock.advance(1_000)
  for (let n = 0; n < 60; n += 1) client.send({ type: 'noise' })
  client.send({ type: 'ping' })
  await settle()
  assert.equal(pings(), 2)
})
