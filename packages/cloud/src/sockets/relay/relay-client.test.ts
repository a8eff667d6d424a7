import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusError, MemoryExchange, MessageBus } from '../../bus/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { defaultLimits } from '../limits.ts'
import { SocketBudgets } from '../socket-budget.ts'
import type { WsGlassesPeer, WsPeer } from '../ws-peer.ts'
import { attachApp, attachGlasses } from './relay-calls.ts'
import { RelayBudget, RelayClient } from './relay-client.ts'

test('SHARE-50: the sockets of a user on all nodes share one budget at the owner of the session', () => {
  const clock = new VirtualClock()
  const budgets = new SocketBudgets(clock, defaultLimits)
  const errors: unknown[] = []
  const peer = { send: ({ code }: { code: string }) => void errors.push(code) } as unknown as WsPeer
  const open = () =>
    new RelayBudget({ clock, limits: defaultLimits, budgets }, 'glasses u1', 'connection_error')
  const sendUntilLimited = (budget: RelayBudget) => {
    let sent = 0
    while (budget.take(100, peer)) sent += 1
    return sent
  }
  // A socket of the owner itself, then sockets on two other nodes.
  const local = budgets.acquire('glasses u1')
  for (let sent = 0; sent < 20; sent += 1) assert.ok(local.messages.take())
  const first = open()
  assert.equal(sendUntilLimited(first), 30)
  first.release()
  const second = open()
  assert.equal(sendUntilLimited(second), 0)
  clock.advance(500)
  assert.equal(sendUntilLimited(second), 25)
  assert.equal(sendUntilLimited(second), 0)
  // Each socket reports dropped messages once a second.
  assert.deepEqual(errors, ['RATE_LIMITED', 'RATE_LIMITED'])
  clock.advance(1_000)
  assert.equal(sendUntilLimited(second), 50)
  assert.equal(errors.length, 3)
  // A long message counts for several.
  clock.advance(1_000)
  assert.equal(second.take(60 * defaultLimits.messageBytes, peer), false)
  assert.equal(second.take(50 * defaultLimits.messageBytes, peer), true)
  second.release()
  budgets.release('glasses u1')
  clock.advance(defaultLimits.stallMs)
  assert.equal(budgets.size, 0)
})

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
    isOpen: true,
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
  const peer = { isOpen: true, dialect: undefined } as unknown as WsGlassesPeer
  await assert.rejects(
    client.attachGlasses(place, user, peer),
    (error) => error instanceof BusError && error.code === 'UNSUPPORTED',
  )
  assert.equal(client.size, 0)
})

test('NODE-32: a socket that is closed is not attached to a session on another node', async () => {
  const exchange = new MemoryExchange()
  const [bus, owner] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  let requests = 0
  const attach = () => {
    requests += 1
    return { kind: 'attached' } as const
  }
  attachGlasses.handle(owner, attach)
  attachApp.handle(owner, attach)
  const client = new RelayClient(bus, (holder) => holder)
  const place = { userSessionId: 's', userId: 'u', owner: owner.nodeId, epoch: 1 }
  const user = { id: 'u', email: 'u@example.com', tokensValidFrom: 0 }
  const target = {
    sessionPrefix: 's',
    packageName: 'dev.app',
    address: '127.0.0.1',
    generation: 'current',
  } as const
  const peer = { isOpen: false } as unknown as WsGlassesPeer
  assert.equal(await client.attachGlasses(place, user, peer), undefined)
  assert.equal(await client.attachApp(place, target, peer), undefined)
  assert.equal(requests, 0)
})
