import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { Heartbeat } from './heartbeat.ts'

/** The part of a socket that the heartbeat uses. */
class RecordingSocket extends EventEmitter {
  readonly OPEN = WebSocket.OPEN
  readyState: number = WebSocket.OPEN
  readonly pings: number[] = []
  closedWith: number | undefined
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock) {
    super()
    this.#clock = clock
  }

  ping(): void {
    this.pings.push(this.#clock.now())
  }

  close(code: number): void {
    this.closedWith = code
    this.readyState = WebSocket.CLOSING
  }

  terminate(): void {
    this.readyState = WebSocket.CLOSED
    this.emit('close')
  }
}

function watch(heartbeat: Heartbeat, clock: VirtualClock, count: number): RecordingSocket[] {
  return Array.from({ length: count }, () => {
    const socket = new RecordingSocket(clock)
    heartbeat.watch(socket as unknown as WebSocket)
    return socket
  })
}

test('SOC-40: sockets that connected together are pinged over the interval, a hundredth at a time', () => {
  const clock = new VirtualClock()
  const heartbeat = new Heartbeat(clock)
  const sockets = watch(heartbeat, clock, 10_000)
  for (let second = 0; second < 25; second += 1) {
    clock.advance(1_000)
    for (const socket of sockets) socket.emit('pong')
  }
  const perInstant = Map.groupBy(
    sockets.flatMap(({ pings }) => pings),
    (at) => at,
  )
  assert.ok(Math.max(...[...perInstant.values()].map((pings) => pings.length)) <= 100)
  for (const { pings } of sockets) {
    assert.ok(pings.length >= 1)
    for (let n = 1; n < pings.length; n += 1)
      assert.ok((pings[n] ?? 0) - (pings[n - 1] ?? 0) <= 10_100, 'each is pinged once an interval')
  }
  heartbeat.stop()
  assert.equal(clock.pendingTimers, 0)
})

test('SOC-40: a socket without a pong for 30 s is closed, one with pongs is not', () => {
  const clock = new VirtualClock()
  const heartbeat = new Heartbeat(clock)
  const [silent] = watch(heartbeat, clock, 1)
  const [alive] = watch(heartbeat, clock, 1)
  for (let second = 0; second < 31; second += 1) {
    clock.advance(1_000)
    alive?.emit('pong')
  }
  assert.equal(silent?.closedWith, 1001)
  assert.equal(silent?.pings.length, 2)
  assert.deepEqual([alive?.closedWith, alive?.pings.length], [undefined, 3])
  alive?.terminate()
  clock.advance(10_000)
  assert.equal(clock.pendingTimers, 0, 'the timer ends with the last socket')
})
