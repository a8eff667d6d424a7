import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { expectsJsonPings, JsonPings } from './heartbeat.ts'
import { defaultLimits } from './limits.ts'
import { type FrameSocket, WsPeer } from './ws-peer.ts'

/** The part of a socket that a peer uses. */
class RecordingSocket implements FrameSocket {
  readonly OPEN = 1
  readonly readyState = 1
  bufferedAmount = 0
  /** The type of each frame, and when it was sent. */
  readonly sent: { readonly text: string; readonly at: number }[] = []
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  send(data: string | Uint8Array): void {
    this.sent.push({ text: data.toString(), at: this.#clock.monotonicNow() })
  }

  close(): void {}

  get pings(): number[] {
    return this.sent.filter(({ text }) => text.includes('"ping"')).map(({ at }) => at)
  }
}

function createRig(count = 1) {
  const clock = new VirtualClock()
  const jsonPings = new JsonPings(clock)
  const phones = Array.from({ length: count }, () => {
    const socket = new RecordingSocket(clock)
    const peer = new WsPeer(socket, defaultLimits, { audioDropped() {}, tooSlow() {} }, undefined, 'both')
    jsonPings.add(peer)
    return { socket, peer }
  })
  const [phone] = phones
  assert.ok(phone)
  return { clock, jsonPings, phones, ...phone, startedAt: clock.monotonicNow() }
}

test('SOC-50: a phone is pinged once it has received nothing for 2 s, whichever node sends', () => {
  const { clock, peer, socket, startedAt } = createRig()
  for (let second = 0; second < 5; second += 1) {
    clock.advance(1_000)
    if (second % 2 === 0) peer.send({ type: 'pong' })
    else peer.relay(Buffer.from('{"type":"pong"}'), false, () => {})
  }
  assert.deepEqual(socket.pings, [])
  clock.advance(6_000)
  assert.deepEqual(
    socket.pings.map((at) => at - startedAt),
    [7_000, 9_000, 11_000],
  )
})

test('SOC-50: a ping is sent in the dialect of the client', () => {
  const { clock, peer, socket } = createRig()
  clock.advance(2_000)
  peer.setDialect('flat')
  clock.advance(2_000)
  assert.deepEqual(
    socket.sent.map(({ text }) => text),
    ['{"type":"ping","data":{}}', '{"type":"ping"}'],
  )
})

test('SOC-50: no ping is added to what a slow reader has not received', () => {
  const { clock, socket } = createRig()
  socket.bufferedAmount = 1
  clock.advance(60_000)
  assert.deepEqual(socket.pings, [])
  socket.bufferedAmount = 0
  clock.advance(2_000)
  assert.equal(socket.pings.length, 1)
})

test('SOC-51: after its socket closed or its own ping a phone receives none, and no timer remains', () => {
  const { clock, jsonPings, peer, socket } = createRig()
  clock.advance(2_000)
  jsonPings.delete(peer)
  peer.send({ type: 'pong' })
  clock.advance(10_000)
  assert.equal(socket.pings.length, 1)
  assert.equal(clock.pendingTimers, 0)
})

test('SOC-50: phones that are due at the same time are pinged in slices of 10 ms, within a second', () => {
  const { clock, jsonPings, phones, startedAt } = createRig(10_000)
  clock.advance(3_000)
  const pings = phones.flatMap(({ socket }) => socket.pings)
  assert.equal(pings.length, 10_000)
  const perInstant = Map.groupBy(pings, (at) => at)
  assert.ok(Math.max(...[...perInstant.values()].map(({ length }) => length)) <= 100)
  assert.ok(Math.max(...pings) - startedAt <= 3_000)
  jsonPings.stop()
  assert.equal(clock.pendingTimers, 0)
})

test('SOC-51: only handshakes with udpEncryption=true are those of such phones', () => {
  const expects = (query: string) => expectsJsonPings(new URL(`ws://cloud/glasses-ws${query}`))
  assert.ok(expects('?token=t&livekit=true&udpEncryption=true'))
  for (const query of ['', '?livekit=true', '?udpEncryption=false', '?udpEncryption'])
    assert.equal(expects(query), false, query)
})
