import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusError, MemoryExchange, MessageBus } from '../../bus/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { WsGlassesPeer } from '../ws-peer.ts'
import { attachGlasses } from './relay-calls.ts'
import { RelayClient } from './relay-client.ts'

const SOCKETS = 40
const SPREAD_MS = 4_000

test('NODE-33: sockets of relayed sessions when their node stops', async () => {
  const exchange = new MemoryExchange()
  const [bus, owner] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  attachGlasses.handle(owner, () => ({ kind: 'attached' }))
  const client = new RelayClient(bus, (holder) => holder)
  const clock = new VirtualClock()
  const startedAt = clock.monotonicNow()
  const closings: { readonly code: number; readonly afterMs: number }[] = []
  const peer = {
    close: (code: number) => void closings.push({ code, afterMs: clock.monotonicNow() - startedAt }),
  } as unknown as WsGlassesPeer
  const user = { id: 'u', email: 'u@example.com', tokensValidFrom: 0 }
  const place = { userSessionId: 's', userId: user.id, owner: owner.nodeId, epoch: 1 }
  for (let n = 0; n < SOCKETS; n += 1) assert.ok(await client.attachGlasses(place, user, peer))

  const drained = client.drain(clock, Math.random, SPREAD_MS)
  assert.deepEqual(closings, [])
  clock.advance(SPREAD_MS)
  await drained
  assert.equal(closings.length, SOCKETS)
  assert.ok(closings.every(({ code }) => code === 1012))
  // Evenly distributed, each quarter of the time has ten of them.
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const from = (quarter * SPREAD_MS) / 4
    assert.ok(closings.some(({ afterMs }) => afterMs >= from && afterMs <= from + SPREAD_MS / 4))
  }
})

test('NODE-56: a socket is not attached again and again to a node that does not know the request', async () => {
  const exchange = new MemoryExchange()
  const [bus, owner] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const client = new RelayClient(bus, (holder) => holder)
  const place = { userSessionId: 's', userId: 'u', owner: owner.nodeId, epoch: 1 }
  const user = { id: 'u', email: 'u@example.com', tokensValidFrom: 0 }
  const peer = { dialect: undefined } as unknown as WsGlassesPeer
  await assert.rejects(
    client.attachGlasses(place, user, peer),
    (error) => error instanceof BusError && error.code === 'UNSUPPORTED',
  )
  assert.equal(client.size, 0)
})
