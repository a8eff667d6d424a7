import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import type { BusError } from './bus.ts'
import { NodeChannels } from './node-channels.ts'

const KIND = 3

/** Two nodes on a network whose messages the test loses and repeats. */
class Rig {
  readonly clock = new VirtualClock()
  readonly received = { one: [] as string[], two: [] as string[] }
  readonly lost = { one: [] as string[], two: [] as string[] }
  /** The messages on their way. */
  readonly network: { readonly to: 'one' | 'two'; readonly batch: Buffer }[] = []
  /** All messages that were published. */
  published = 0
  /** Whether node two listens. */
  isListening = true
  readonly #deferred: (() => void)[] = []
  readonly one = this.#open('one')
  readonly two = this.#open('two')

  /** Sends a frame from node one to node two, in a batch of its own. */
  send(text: string): void {
    this.one.send('two', { kind: KIND, payload: Buffer.from(text) })
    this.flush()
  }

  flush(): void {
    for (let run = this.#deferred.shift(); run; run = this.#deferred.shift()) run()
  }

  /** Delivers everything that is on its way, and the answers to it. */
  async deliver(): Promise<void> {
    for (;;) {
      this.flush()
      await new Promise(setImmediate)
      const message = this.network.shift()
      if (message) this[message.to].receive(message.batch)
      else if (this.#deferred.length === 0) return
    }
  }

  #open(name: 'one' | 'two'): NodeChannels {
    return new NodeChannels({
      nodeId: name,
      clock: this.clock,
      defer: (run) => void this.#deferred.push(run),
      publish: async (channel, batch) => {
        this.published += 1
        const to = channel === 'node:two' ? 'two' : 'one'
        if (to === 'two' && !this.isListening) return 0
        this.network.push({ to, batch })
        return 1
      },
      received: (_from, _kind, payload) => void this.received[name].push(payload.toString()),
      lost: (_nodeId, { code }: BusError) => void this.lost[name].push(code),
      stalled: () => assert.fail('stalled'),
    })
  }
}

test('repeated batches are ignored, at once and later', async () => {
  const rig = new Rig()
  rig.send('a')
  const [first] = rig.network
  assert(first)
  rig.network.push(first)
  await rig.deliver()
  rig.send('b')
  rig.network.push(first)
  await rig.deliver()
  // Also after the connection of the receiver was lost, and after the nodes lost each other.
  rig.two.reset()
  rig.two.receive(first.batch)
  rig.one.renew('two')
  await rig.deliver()
  rig.two.receive(first.batch)
  assert.deepEqual(rig.received.two, ['a', 'b'])
})

test('lost frames are reported on both nodes, and the following ones arrive', async () => {
  const rig = new Rig()
  rig.send('a')
  await rig.deliver()
  rig.send('lost')
  rig.network.pop()
  rig.send('c')
  await rig.deliver()
  assert.deepEqual(rig.received.two, ['a', 'c'])
  assert.deepEqual(rig.lost, { one: ['LOST'], two: ['LOST'] })
  rig.send('d')
  await rig.deliver()
  assert.deepEqual(rig.received.two, ['a', 'c', 'd'])
  assert.deepEqual(rig.lost, { one: ['LOST'], two: ['LOST'] })
})

test('the loss of the last frames is reported within a second', async () => {
  const rig = new Rig()
  rig.send('a')
  await rig.deliver()
  rig.send('lost')
  rig.network.pop()
  rig.clock.advance(1_000)
  await rig.deliver()
  assert.deepEqual(rig.lost, { one: ['LOST'], two: ['LOST'] })
  // Nothing is sent while there is nothing to confirm.
  rig.clock.advance(1_000)
  await rig.deliver()
  const { published } = rig
  rig.clock.advance(60_000)
  await rig.deliver()
  assert.equal(rig.published, published)
})

test('a node that lost its connection tells the others, in both directions, once it is connected again', async () => {
  for (const name of ['one', 'two'] as const) {
    const rig = new Rig()
    rig.send('a')
    await rig.deliver()
    rig[name].reset()
    rig[name].renewAll()
    await rig.deliver()
    const other = name === 'one' ? 'two' : 'one'
    assert.deepEqual([rig.lost[name], rig.lost[other]], [[], ['LOST']])
    rig.send('b')
    await rig.deliver()
    assert.deepEqual(rig.received.two, ['a', 'b'])
  }
})

test('a node that does not listen is reported once and forgotten', async () => {
  const rig = new Rig()
  rig.send('a')
  await rig.deliver()
  rig.isListening = false
  rig.send('b')
  await rig.deliver()
  assert.ok(rig.lost.one.every((code) => code === 'UNREACHABLE'))
  const { published } = rig
  rig.clock.advance(60_000)
  rig.one.renewAll()
  await rig.deliver()
  assert.equal(rig.published, published)
  // It is back, and learns that messages were lost.
  rig.isListening = true
  rig.send('c')
  await rig.deliver()
  assert.deepEqual(rig.received.two, ['a', 'c'])
  assert.deepEqual(rig.lost.two, ['LOST'])
})
