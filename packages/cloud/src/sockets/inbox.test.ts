import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import type { DecodedAudio } from './audio-decoder.ts'
import { readInbox } from './inbox.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudget } from './socket-budget.ts'
import { socketPair } from './testing/socket-client.ts'
import { WsGlassesPeer } from './ws-peer.ts'

/** Reads a socket with `readInbox`; `settle` resolves once everything sent so far has been read. */
async function openInbox(t: { after(undo: () => unknown): void }) {
  const clock = new VirtualClock()
  const { server, client } = await socketPair(t)
  const peer = new WsGlassesPeer(
    server,
    defaultLimits,
    { audioDropped() {}, tooSlow() {} },
    undefined,
    'flat',
  )
  const audio: number[] = []
  const rejected: string[] = []
  const dropped: number[] = []
  const messages: string[] = []
  const handlers = {
    message: ({ type }: { type: string }) => void messages.push(type),
    audio: {
      decoder: () => peer.decoder,
      decoded: ({ pcm = Buffer.alloc(0) }: DecodedAudio) => {
        assert.equal(pcm.byteLength % 2, 0, 'samples are whole')
        audio.push(...pcm)
      },
      dropped: (ms: number) => void dropped.push(ms),
    },
    reject: (code: string) => void rejected.push(code),
  }
  const budget = new SocketBudget(clock, defaultLimits)
  readInbox(server, peer, handlers, defaultLimits, clock, () => budget)
  const settle = async () => {
    const pong = new Promise((resolve) => client.ws.once('pong', resolve))
    client.ws.ping()
    await pong
  }
  return { clock, client, audio, rejected, dropped, messages, settle }
}

test('SOC-24: a sample split across two frames is joined', async (t) => {
  const { client, audio, settle } = await openInbox(t)
  for (const frame of [[1], [2, 3], [4, 5, 6], [], [7], [8]]) client.send(Uint8Array.from(frame))
  await settle()
  assert.deepEqual(audio, [1, 2, 3, 4, 5, 6, 7, 8])
})

test('SOC-22 SOC-24: a frame that is too large is rejected, and later samples stay aligned', async (t) => {
  const { client, audio, rejected, settle } = await openInbox(t)
  client.send(Uint8Array.of(1))
  // One byte completes the previous sample; the rest are whole samples that are lost.
  client.send(new Uint8Array(64 * 1024 + 1))
  client.send(Uint8Array.of(3, 4))
  client.send(new Uint8Array(64 * 1024 + 2))
  await settle()
  assert.deepEqual(audio, [3, 4])
  assert.deepEqual(rejected, ['FRAME_TOO_LARGE'], 'reported once a second')
})

test('SOC-21 SOC-24: audio beyond its budget is dropped, reported once a second, and keeps samples aligned', async (t) => {
  const { clock, client, audio, rejected, dropped, settle } = await openInbox(t)
  for (let n = 0; n < 4; n += 1) client.send(new Uint8Array(32_000))
  client.send(new Uint8Array(3_201).fill(1))
  client.send(new Uint8Array(3_201).fill(2))
  await settle()
  assert.equal(audio.length, 128_000)
  assert.deepEqual([rejected, dropped], [['RATE_LIMITED'], [3_201 / 32]])
  clock.advance(1_000)
  client.send(Uint8Array.of(5, 6))
  await settle()
  assert.deepEqual(audio.slice(128_000), [5, 6])
  assert.deepEqual(dropped, [3_201 / 32, 3_201 / 32], 'reported before the audio that follows the gap')
})

test('SOC-54: the audio of a network that stalled for ten seconds is accepted as a whole', async (t) => {
  const { clock, client, audio, rejected, settle } = await openInbox(t)
  const frame = new Uint8Array(3_200)
  for (let n = 0; n < 20; n += 1) {
    client.send(frame)
    await settle()
    clock.advance(100)
  }
  clock.advance(10_000)
  for (let n = 0; n < 100; n += 1) client.send(frame)
  await settle()
  assert.deepEqual([audio.length, rejected], [120 * 3_200, []])
})

test('SOC-55: what must be dropped of a stream that is too fast is dropped in few parts', async (t) => {
  const { clock, client, audio, dropped, settle } = await openInbox(t)
  // Three times real time: each frame has its number, modulo 256.
  for (let n = 0; n < 300; n += 1) {
    client.send(new Uint8Array(3_200).fill(n % 256))
    await settle()
    clock.advance(100 / 3)
  }
  const numbers = Array.from({ length: audio.length / 3_200 }, (_, index) => audio[index * 3_200] ?? -1)
  const gaps = numbers.slice(1).filter((number, index) => number !== ((numbers[index] ?? 0) + 1) % 256)
  assert.ok(gaps.length >= 1 && gaps.length <= 8, `${gaps.length} gaps`)
  const reportedMs = dropped.reduce((sum, ms) => sum + ms, 0)
  assert.ok(
    Math.abs(reportedMs - (300 - numbers.length) * 100) <= 3_000,
    'all but the last second is reported',
  )
})

test('SOC-21: each frame counts as at least 64 bytes', async (t) => {
  const { client, audio, rejected, settle } = await openInbox(t)
  for (let n = 0; n < 2_010; n += 1) client.send(Uint8Array.of(1, 1))
  await settle()
  assert.equal(audio.length, 2 * 2_000)
  assert.deepEqual(rejected, ['RATE_LIMITED'])
})

test('SOC-20: accepts 50 messages a second, reports the excess once, and does not count audio', async (t) => {
  const { clock, client, messages, rejected, audio, settle } = await openInbox(t)
  for (let n = 0; n < 80; n += 1) client.send({ type: 'x' })
  client.send(Uint8Array.of(1, 2))
  await settle()
  assert.deepEqual([messages.length, rejected, audio.length], [50, ['RATE_LIMITED'], 2])
  clock.advance(500)
  for (let n = 0; n < 30; n += 1) client.send({ type: 'y' })
  await settle()
  assert.deepEqual([messages.length, rejected.length], [75, 1])
  clock.advance(500)
  for (let n = 0; n < 30; n += 1) client.send({ type: 'z' })
  await settle()
  assert.deepEqual([messages.length, rejected.length], [100, 2])
})

test('SOC-27: a long message counts as one per 32 KiB', async (t) => {
  const { clock, client, messages, rejected, settle } = await openInbox(t)
  const long = (type: string, bytes: number) => {
    const empty = JSON.stringify({ type, text: '' })
    client.send(JSON.stringify({ type, text: 'x'.repeat(bytes - empty.length) }))
  }
  for (let n = 0; n < 2; n += 1) long('whole', 1024 * 1024)
  await settle()
  assert.deepEqual([messages.length, rejected], [1, ['RATE_LIMITED']], '32 messages each')
  for (let n = 0; n < 9; n += 1) long('two', 32 * 1024 + 1)
  client.send({ type: 'none left' })
  await settle()
  assert.deepEqual(messages.slice(1), Array(9).fill('two'))
  clock.advance(20)
  long('one', 32 * 1024)
  await settle()
  assert.deepEqual(messages.slice(10), ['one'])
})

test('SOC-20: one ping a second is accepted beyond the budget', async (t) => {
  const { clock, client, rejected, messages, settle } = await openInbox(t)
  const pings = () => messages.filter((type) => type === 'ping').length
  for (let n = 0; n < 60; n += 1) client.send({ type: 'noise' })
  for (let n = 0; n < 3; n += 1) client.send({ type: 'ping', timestamp: 1_795_305_488_936 })
  await settle()
  assert.deepEqual([messages.length, pings(), rejected], [51, 1, ['RATE_LIMITED']])
  clock.advance(1_000)
  for (let n = 0; n < 60; n += 1) client.send({ type: 'noise' })
  client.send({ type: 'ping' })
  await settle()
  assert.equal(pings(), 2)
})
