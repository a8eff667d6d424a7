import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { serialize } from 'node:v8'
import pino from 'pino'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { AuthenticatedTransport } from './authenticated-transport.ts'
import { encodeBatch } from './batch.ts'
import { FRAME_KINDS } from './bus.ts'
import { busSuite } from './bus-suite.ts'
import { MemoryExchange, type MemoryTransport } from './memory-transport.ts'
import { MessageBus } from './message-bus.ts'

const secret = 'a secret of this cloud, which is long'
const silent = pino({ level: 'silent' })

/** Nodes on one exchange, and what an intruder who reaches it sees and sends. */
class Rig {
  readonly clock = new VirtualClock()
  readonly lines: string[] = []
  readonly recorded: { readonly channel: string; readonly message: Buffer }[] = []
  readonly #exchange = new MemoryExchange()
  readonly #intruder = this.#exchange.connect()

  connect(secrets: readonly [string, ...string[]] = [secret], cloud = 'one'): AuthenticatedTransport {
    const log = pino({}, { write: (line: string) => void this.lines.push(line) })
    return new AuthenticatedTransport(this.#recorded(this.#exchange.connect()), {
      secrets,
      cloud,
      clock: this.clock,
      log,
    })
  }

  /** Subscribes a node to a channel. @returns what it receives */
  async listen(transport: AuthenticatedTransport, channel: string): Promise<string[]> {
    const received: string[] = []
    transport.start({
      message: (name, payload) => void received.push(`${name} ${payload}`),
      connectionChanged: () => {},
    })
    await transport.subscribe(channel)
    return received
  }

  async send(channel: string, message: Buffer): Promise<void> {
    await this.#intruder.publish(channel, message)
    await this.delivered()
  }

  async delivered(): Promise<void> {
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }

  #recorded(transport: MemoryTransport): MemoryTransport {
    const publish = transport.publish.bind(transport)
    transport.publish = (channel, message) => {
      this.recorded.push({ channel, message: Buffer.from(message) })
      return publish(channel, message)
    }
    return transport
  }
}

busSuite('authenticated', async (t, count) => {
  const exchange = new MemoryExchange()
  return Array.from({ length: count }, () => {
    const deps = { secrets: [secret] as const, cloud: 'one', clock: new VirtualClock(), log: silent }
    const bus = new MessageBus(new AuthenticatedTransport(exchange.connect(), deps))
    t.after(() => bus.close())
    return bus
  })
})

describe('messages between nodes', () => {
  test('NODE-57: a message arrives; a changed byte, another channel, cloud or secret makes it ignored', async () => {
    const rig = new Rig()
    const received = await rig.listen(rig.connect(), 'news')
    const otherCloud = await rig.listen(rig.connect([secret], 'two'), 'news')
    const otherSecret = await rig.listen(rig.connect(['another secret, which is as long']), 'news')
    await rig.connect().publish('news', Buffer.from('hello'))
    await rig.connect().publish('others', Buffer.from('hello'))
    await rig.delivered()
    const [sent, elsewhere] = rig.recorded
    assert(sent && elsewhere)
    for (let at = 0; at < sent.message.byteLength; at += 1) {
      const changed = Buffer.from(sent.message)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await rig.send(sent.channel, changed)
    }
    for (const length of [0, 1, 23, sent.message.byteLength - 1])
      await rig.send(sent.channel, sent.message.subarray(0, length))
    await rig.send(sent.channel, elsewhere.message)
    await rig.send(sent.channel, Buffer.from('hello'))
    assert.deepEqual(received, ['news hello'])
    assert.deepEqual([otherCloud, otherSecret], [[], []])
    assert.equal(
      rig.lines.filter((line) => line.includes('ignored messages')).length,
      3,
      'once for each node',
    )
  })

  test('NODE-57: a message that is repeated after a minute is ignored', async () => {
    const rig = new Rig()
    const received = await rig.listen(rig.connect(), 'news')
    await rig.connect().publish('news', Buffer.from('hello'))
    await rig.delivered()
    const [sent] = rig.recorded
    assert(sent)
    rig.clock.advance(60_001)
    await rig.send(sent.channel, sent.message)
    rig.clock.jumpWallClock(-10 * 60_000)
    await rig.send(sent.channel, sent.message)
    assert.deepEqual(received, ['news hello'])
  })

  test('NODE-57 SHARE-10: while AUTH_SECRET is changed, nodes with either secret understand each other', async () => {
    const rig = new Rig()
    const next = 'the next secret of this cloud, as long'
    const [older, newer] = [rig.connect([secret, next]), rig.connect([next, secret])]
    const received = [await rig.listen(older, 'news'), await rig.listen(newer, 'news')]
    await older.publish('news', Buffer.from('old'))
    await newer.publish('news', Buffer.from('new'))
    await rig.delivered()
    assert.deepEqual(received, [
      ['news old', 'news new'],
      ['news old', 'news new'],
    ])
  })

  test('NODE-58: a request or response of another form changes nothing, and the frames after it arrive', async (t) => {
    const exchange = new MemoryExchange()
    const failures: unknown[] = []
    const bus = new MessageBus(exchange.connect(), { failed: (error) => void failures.push(error) })
    t.after(() => bus.close())
    const calls: unknown[] = []
    bus.handle('echo', (argument) => void calls.push(argument))
    const invalid: unknown[] = [
      undefined,
      null,
      7,
      'text',
      {},
      [],
      [1],
      ['1', 'echo', 1],
      [1, 2, 3],
      [1.5, 'echo', 1],
    ]
    const payloads = [Buffer.alloc(0), Buffer.from('garbage'), ...invalid.map((value) => serialize(value))]
    const frames = [FRAME_KINDS.request, FRAME_KINDS.response].flatMap((kind) =>
      payloads.map((payload) => ({ kind, payload })),
    )
    frames.push({ kind: FRAME_KINDS.request, payload: serialize([1, 'echo', 'valid']) })
    const batch = encodeBatch({ sender: 'other', stream: 1, sequence: 1 }, frames)
    const sender = exchange.connect()
    await sender.publish(`node:${bus.nodeId}`, batch)
    for (let length = 0; length < batch.byteLength; length += 1) {
      const other = encodeBatch({ sender: `node${length}`, stream: 1, sequence: 1 }, frames)
      await sender.publish(`node:${bus.nodeId}`, other.subarray(0, length))
    }
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    assert.deepEqual(calls, ['valid'])
    assert.ok(failures.length >= frames.length - 1)
  })
})
