import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { proxyTo, redisMissing, redisUrl } from '../../test/support/redis.ts'
import { systemClock } from '../time/index.ts'
import { type Bus, BusError } from './bus.ts'
import { busSuite } from './bus-suite.ts'
import { MemoryExchange } from './memory-transport.ts'
import { MessageBus } from './message-bus.ts'
import { RedisTransport } from './redis-transport.ts'

const log = pino({ level: 'silent' })

busSuite('within a process', async (t, count) => {
  const exchange = new MemoryExchange()
  return opened(
    t,
    Array.from({ length: count }, () => new MessageBus(exchange.connect())),
  )
})

test('a further subscription to a channel is not ready before the first', async () => {
  const transport = new MemoryExchange().connect()
  const subscribed = Promise.withResolvers<void>()
  transport.subscribe = () => subscribed.promise
  const bus = new MessageBus(transport)
  bus.subscribe('news', () => {})
  let isReady = false
  const ready = bus
    .subscribe('news', () => {})
    .ready.then(() => {
      isReady = true
    })
  await new Promise(setImmediate)
  assert.equal(isReady, false)
  subscribed.resolve()
  await ready
})

describe('over Redis', { skip: redisMissing }, () => {
  busSuite('on one server', (t, count) => openNodes(t, count, redisUrl))

  test('while Redis is away requests fail immediately, and afterwards everything arrives again', async (t) => {
    const proxy = await proxyTo(t, redisUrl)
    const prefix = randomPrefix()
    const [one] = await openNodes(t, 1, proxy.url, prefix)
    const [two] = await openNodes(t, 1, redisUrl, prefix)
    assert(one && two)
    two.handle('echo', (argument) => argument)
    two.handle('never', () => new Promise(() => {}))
    const pending = one.request(two.nodeId, 'never', 1, 60_000)
    const changes: boolean[] = []
    const [disconnected, connected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    one.onConnectionChange((isConnected) => {
      changes.push(isConnected)
      ;(isConnected ? connected : disconnected).resolve()
    })
    proxy.silent = true
    await assert.rejects(pending, (error) => error instanceof BusError && error.code === 'LOST')
    await disconnected.promise
    await assert.rejects(
      one.request(two.nodeId, 'echo', 1, 60_000),
      (error) => error instanceof BusError && error.code === 'DISCONNECTED',
    )
    proxy.silent = false
    await connected.promise
    assert.equal(await one.request(two.nodeId, 'echo', 'again', 10_000), 'again')
    assert.deepEqual(changes, [false, true])
  })
})

async function openNodes(t: TestContext, count: number, url: string, prefix = randomPrefix()) {
  const buses: Bus[] = []
  for (let index = 0; index < count; index += 1) {
    const redis = { urls: [url], isCluster: false }
    const transport = await RedisTransport.open({ redis, prefix, clock: systemClock, log })
    const bus = new MessageBus(transport)
    if (!bus.isConnected)
      await new Promise<void>((resolve) => {
        bus.onConnectionChange((isConnected) => isConnected && resolve())
      })
    buses.push(bus)
  }
  return opened(t, buses)
}

function opened(t: TestContext, buses: Bus[]): Bus[] {
  t.after(() => Promise.all(buses.map((bus) => bus.close())))
  return buses
}

function randomPrefix(): string {
  return `test-${randomBytes(8).toString('hex')}:`
}
