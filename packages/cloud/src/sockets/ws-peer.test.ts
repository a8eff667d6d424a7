import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Metrics } from '../http/metrics.ts'
import { SharedMessage } from '../session/index.ts'
import { AudioInput } from '../session/parts/audio-input.ts'
import { SessionRig } from '../session/testing/session-rig.ts'
import { serveGlasses } from './glasses-socket.ts'
import { JsonPings } from './heartbeat.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets } from './socket-budget.ts'
import { SocketMetrics } from './socket-metrics.ts'
import { socketPair } from './testing/socket-client.ts'
import { WsGlassesPeer, WsPeer } from './ws-peer.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Connects glasses, sends LC3 and disconnects. @returns weak references to the decoders of the connection */
async function visit(t: { after(undo: () => unknown): void }, rig: SessionRig) {
  const { server, client } = await socketPair(t)
  const peer = new WsGlassesPeer(
    server,
    defaultLimits,
    { audioDropped() {}, tooSlow() {} },
    undefined,
    'flat',
  )
  const metrics = new SocketMetrics(new Metrics())
  const budgets = new SocketBudgets(rig.clock, defaultLimits)
  const user = { id: 'u1', email: 'ada@example.com', tokensValidFrom: 0 }
  const attach = async () => {
    rig.session.attachGlasses(peer)
    return rig.session
  }
  serveGlasses(server, peer, user, {
    clock: rig.clock,
    limits: defaultLimits,
    metrics,
    budgets,
    jsonPings: new JsonPings(rig.clock),
    attach,
    failed() {},
  })
  await client.next('connection_ack')
  const first = new WeakRef(peer.decoder)
  rig.session.part(AudioInput).setFormat({ format: 'lc3', frameSizeBytes: 20 })
  const second = new WeakRef(peer.decoder)
  assert.notEqual(first.deref(), second.deref())
  client.send(Buffer.alloc(20))
  client.send({ type: 'ping' })
  await client.next('pong')
  assert.equal(rig.session.part(AudioInput).recent().kind, 'audio')
  client.ws.close()
  await client.closed()
  return [first, second]
}

test('MIC-34: the decoders of a connection are released with it', async () => {
  const rig = new SessionRig()
  const visits: WeakRef<object>[] = []
  // The cleanup functions of the test would keep the sockets alive, so run them before collecting garbage.
  const cleanups: (() => unknown)[] = []
  for (let n = 0; n < 3; n += 1)
    visits.push(...(await visit({ after: (undo) => void cleanups.push(undo) }, rig)))
  for (const undo of cleanups.splice(0)) await undo()
  const deadline = Date.now() + 20_000
  while (visits.some((visit) => visit.deref() !== undefined)) {
    assert.ok(Date.now() < deadline, 'a decoder was not released')
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  assert.equal(rig.session.isEnded, false)
})

const KIB = 1024
const limits = { ...defaultLimits, audioBacklogBytes: 64 * KIB, stateBacklogBytes: 512 * KIB }
const filler = { type: 'filler', text: 'x'.repeat(256 * KIB) }

/** Creates a peer whose client has stopped reading, with enough unsent data that audio is queued. */
async function slowReader(t: { after(undo: () => unknown): void }) {
  const { server, client } = await socketPair(t)
  const seen = { dropped: 0, tooSlow: 0 }
  const events = {
    audioDropped: (frames: number) => {
      seen.dropped += frames
    },
    tooSlow: () => {
      seen.tooSlow += 1
    },
  }
  const peer = new WsPeer(server, limits, events, 'flat', 'flat')
  client.ws.pause()
  // Data in kernel buffers counts as sent; on loopback these are several megabytes.
  while (server.bufferedAmount <= limits.audioBacklogBytes) peer.send(filler)
  return { peer, server, client, seen }
}

test('SOC-41: a slow reader receives the backlog of a stall once it reads again; beyond it the older half is dropped', async (t) => {
  const { peer, client, seen } = await slowReader(t)
  const frameOf = (n: number) => new Uint8Array(3_200).fill(n)
  const send = (from: number, to: number) => {
    let dropped = 0
    for (let n = from; n < to; n += 1) dropped += peer.sendAudio(frameOf(n % 256))
    return dropped
  }
  // Forty seconds in frames of 100 ms.
  assert.equal(send(0, 400), 0)
  assert.equal(send(400, 401), 201 * 3_200)
  assert.deepEqual(seen, { dropped: 201, tooSlow: 0 })
  client.ws.resume()
  await client.waitForAudio(200)
  const received = client.audio.map(([n]) => n)
  assert.deepEqual(
    received,
    Array.from({ length: 200 }, (_, n) => (n + 201) % 256),
  )
  peer.sendAudio(frameOf(99))
  await client.waitForAudio(201)
  assert.equal(client.audio.at(-1)?.[0], 99, 'later frames are sent directly')
})

test('SOC-41: queued and direct audio frames arrive in order', async (t) => {
  const { peer, client } = await slowReader(t)
  peer.sendAudio(Uint8Array.of(1, 0))
  client.ws.resume()
  for (let n = 2; n <= 40; n += 1) {
    peer.sendAudio(Uint8Array.of(n, 0))
    await new Promise(setImmediate)
  }
  await client.waitForAudio(40)
  assert.deepEqual(
    client.audio.map(([n]) => n),
    Array.from({ length: 40 }, (_, n) => n + 1),
  )
})

test('SOC-42: a reader slower than its state messages is counted and closed with 1013', async (t) => {
  const { peer, server, client, seen } = await slowReader(t)
  while (server.readyState === server.OPEN) peer.send(filler)
  assert.equal(seen.tooSlow, 1)
  peer.send({ type: 'late' })
  peer.sendAudio(Uint8Array.of(1, 0))
  client.ws.resume()
  const { code, reason } = await client.closed()
  assert.deepEqual([code, reason], [1013, 'Too slow: reconnect for a full snapshot'])
  assert.deepEqual([client.of('late').length, client.audio.length, seen.tooSlow], [0, 0, 1])
})

test('A2A-1: a shared message is sent as text in the dialect of each client', async (t) => {
  const events = { audioDropped() {}, tooSlow() {} }
  const shared = new SharedMessage({ type: 'greeting', text: 'Grüße' })
  for (const [dialect, expected] of [
    ['flat', { type: 'greeting', text: 'Grüße' }],
    ['envelope', { type: 'greeting', data: { text: 'Grüße' } }],
  ] as const) {
    const { server, client } = await socketPair(t)
    const received = once(client.ws, 'message')
    new WsPeer(server, limits, events, dialect, dialect).sendShared(shared)
    const [data, isBinary] = await received
    assert.equal(isBinary, false)
    assert.deepEqual(JSON.parse(String(data)), expected)
  }
})
