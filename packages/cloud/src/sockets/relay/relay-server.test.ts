import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAME_KINDS, MemoryExchange, MessageBus } from '../../bus/index.ts'
import type { UserSession } from '../../session/index.ts'
import type { Sessions } from '../../session-host/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { defaultLimits } from '../limits.ts'
import type { LocalGateway } from '../local-gateway.ts'
import { SocketBudgets } from '../socket-budget.ts'
import type { WsGlassesPeer } from '../ws-peer.ts'
import { attachApp } from './relay-calls.ts'
import { RelayClient } from './relay-client.ts'
import { RelayServer } from './relay-server.ts'

test('NODE-55: the owner adapts to the SDK of an app on another node', async () => {
  const exchange = new MemoryExchange()
  const [bus, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const clock = new VirtualClock()
  const generations: unknown[] = []
  const gateway: Pick<LocalGateway, 'attachAppTo'> = {
    async attachAppTo(_, { generation }) {
      generations.push(generation)
      return undefined
    },
  }
  new RelayServer({
    clock,
    bus,
    sessions: { findOwned: async () => ({ session: {} }) } as unknown as Sessions,
    gateway: gateway as LocalGateway,
    limits: defaultLimits,
    budgets: new SocketBudgets(clock, defaultLimits),
    events: { audioDropped() {}, tooSlow() {} },
    isOwner: () => true,
  })
  const app = { userSessionId: 's', userId: 'u', epoch: 1, packageName: 'some.app', address: '127.0.0.1' }
  for (const [link, sdk] of ['mini', 'first', 'second', 'tenth'].entries())
    await attachApp.send(other, bus.nodeId, { ...app, link, sdk }, 20_000)
  assert.deepEqual(generations, ['mini', 'first', 'second', 'current'])
})

test('NODE-32: a node whose lease has lapsed releases the sockets of other nodes that close', async () => {
  const exchange = new MemoryExchange()
  const [bus, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const clock = new VirtualClock()
  const budgets = new SocketBudgets(clock, defaultLimits)
  const { promise: detached, resolve } = Promise.withResolvers<void>()
  const session = { async connectGlasses() {}, detachGlasses: () => resolve() } as unknown as UserSession
  let isOwner = true
  const server = new RelayServer({
    clock,
    bus,
    sessions: { findOwned: async () => ({ session }) } as unknown as Sessions,
    gateway: {} as LocalGateway,
    limits: defaultLimits,
    budgets,
    events: { audioDropped() {}, tooSlow() {} },
    isOwner: () => isOwner,
  })
  bus.receive(FRAME_KINDS.relay, (from, frame) => server.receive(from, frame))
  const client = new RelayClient(other, (holder) => holder)
  const user = { id: 'u', email: 'u@example.com', tokensValidFrom: 0 }
  const place = { userSessionId: 's', userId: user.id, owner: bus.nodeId, epoch: 1 }
  const peer = { isOpen: true, dialect: undefined } as unknown as WsGlassesPeer
  const attached = await client.attachGlasses(place, user, peer)
  assert.equal(budgets.size, 1)

  isOwner = false
  attached?.detachGlasses(peer)
  await detached
  clock.advance(defaultLimits.stallMs)
  assert.equal(budgets.size, 0)
})
