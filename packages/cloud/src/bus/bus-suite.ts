import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { type Bus, BusError, FRAME_KINDS } from './bus.ts'

const TIMEOUT_MS = 20_000

/**
 * Tests that the bus must pass over every transport.
 * @param connect connects a number of nodes for the duration of a test
 */
export function busSuite(name: string, connect: (t: TestContext, nodes: number) => Promise<Bus[]>): void {
  describe(name, () => {
    test('a published message reaches each subscriber of its channel once, the own node included', async (t) => {
      const [one, two, three] = await nodes(t, 3)
      const received: string[] = []
      const all = counter(3)
      for (const [label, bus] of Object.entries({ one, two })) {
        const { ready } = bus.subscribe('news', (payload) => {
          received.push(`${label} ${payload}`)
          all.add()
        })
        await ready
      }
      const other = two.subscribe('news', () => all.add())
      await other.ready
      three.subscribe('else', () => assert.fail('another channel'))
      one.publish('news', Buffer.from('hello'))
      await all.reached
      assert.deepEqual(received.sort(), ['one hello', 'two hello'])
    })

    test('a closed subscription receives nothing', async (t) => {
      const [one, two] = await nodes(t, 2)
      const closed = two.subscribe('news', () => assert.fail('closed'))
      await closed.ready
      closed.close()
      closed.close()
      const next = counter(1)
      await two.subscribe('news', () => next.add()).ready
      one.publish('news', Buffer.from('x'))
      await next.reached
    })

    test('a request returns the value or the error of its handler', async (t) => {
      const [one, two] = await nodes(t, 2)
      two.handle('double', async (argument, from) => {
        assert.equal(from, one.nodeId)
        return { twice: (argument as number) * 2, bytes: Buffer.from('pcm'), nothing: undefined }
      })
      two.handle('refuse', () => {
        throw new Error('not today')
      })
      const result = (await one.request(two.nodeId, 'double', 21, TIMEOUT_MS)) as Record<string, unknown>
      assert.equal(result.twice, 42)
      assert.equal(String(result.bytes), 'pcm')
      await rejects(one.request(two.nodeId, 'refuse', undefined, TIMEOUT_MS), 'FAILED', 'not today')
      await rejects(one.request(two.nodeId, 'unknown', undefined, TIMEOUT_MS), 'UNSUPPORTED')
    })

    test('a request ends at its deadline, and a later response is ignored', async (t) => {
      const [one, two] = await nodes(t, 2)
      const { promise, resolve } = Promise.withResolvers<string>()
      two.handle('slow', () => promise)
      two.handle('fast', () => 'fast')
      await rejects(one.request(two.nodeId, 'slow', undefined, 20), 'TIMEOUT')
      resolve('late')
      assert.equal(await one.request(two.nodeId, 'fast', undefined, TIMEOUT_MS), 'fast')
    })

    test('a request to a node that does not listen fails at once, and the node is lost', async (t) => {
      const [one] = await nodes(t, 1)
      const lost: string[] = []
      one.onNodeLost((nodeId) => lost.push(nodeId))
      const gone = randomBytes(8).toString('hex')
      const error = await rejects(one.request(gone, 'double', 1, 60_000), 'UNREACHABLE')
      assert.equal(error.isSafeToRetry, true)
      assert.deepEqual(lost, [gone])
    })

    test('requests to a node that was dropped fail', async (t) => {
      const [one, two] = await nodes(t, 2)
      two.handle('never', () => new Promise(() => {}))
      const pending = one.request(two.nodeId, 'never', 1, 60_000)
      await one.request(two.nodeId, 'unknown', undefined, TIMEOUT_MS).catch(() => {})
      one.dropNode(two.nodeId)
      const error = await rejects(pending, 'LOST')
      assert.equal(error.isSafeToRetry, false)
    })

    test('a node that was dropped and is back receives messages again, and learns that some were lost', async (t) => {
      const [one, two] = await nodes(t, 2)
      two.handle('echo', (argument) => argument)
      one.handle('never', () => new Promise(() => {}))
      for (const value of [1, 2, 3])
        assert.equal(await one.request(two.nodeId, 'echo', value, TIMEOUT_MS), value)
      const lost = rejects(two.request(one.nodeId, 'never', undefined, TIMEOUT_MS), 'LOST')
      one.dropNode(two.nodeId)
      assert.equal(await one.request(two.nodeId, 'echo', 'again', TIMEOUT_MS), 'again')
      await lost
    })

    test('frames between two nodes arrive in order, large and small', async (t) => {
      const [one, two] = await nodes(t, 2)
      const count = 500
      const received: number[] = []
      const all = counter(count)
      two.receive(FRAME_KINDS.relay, (from, payload) => {
        assert.equal(from, one.nodeId)
        received.push(payload.readUInt32BE(0))
        assert.equal(payload.byteLength, 4 + (payload.readUInt32BE(0) % 7) * 20_000)
        all.add()
      })
      for (let index = 0; index < count; index += 1) {
        const payload = Buffer.alloc(4 + (index % 7) * 20_000)
        payload.writeUInt32BE(index)
        one.send(two.nodeId, FRAME_KINDS.relay, payload)
        if (index % 50 === 0) await new Promise(setImmediate)
      }
      await all.reached
      assert.deepEqual(received, [...Array(count).keys()])
    })

    test('a receiver that throws an exception on a frame receives the frames after it', async (t) => {
      const [one, two] = await nodes(t, 2)
      const received: string[] = []
      const last = counter(1)
      two.receive(FRAME_KINDS.relay, (_, payload) => {
        received.push(String(payload))
        if (String(payload) === 'c') last.add()
        else throw new Error('This frame is invalid')
      })
      for (const payload of ['a', 'b', 'c']) one.send(two.nodeId, FRAME_KINDS.relay, Buffer.from(payload))
      await last.reached
      assert.deepEqual(received, ['a', 'b', 'c'])
    })
  })

  async function nodes<Count extends 1 | 2 | 3>(t: TestContext, count: Count): Promise<Nodes[Count]> {
    return (await connect(t, count)) as unknown as Nodes[Count]
  }
}

interface Nodes {
  1: [Bus]
  2: [Bus, Bus]
  3: [Bus, Bus, Bus]
}

async function rejects(promise: Promise<unknown>, code: string, message?: string): Promise<BusError> {
  const error = await promise.then(
    () => assert.fail('the request succeeded'),
    (reason: unknown) => reason,
  )
  assert(error instanceof BusError)
  assert.equal(error.code, code)
  if (message !== undefined) assert.equal(error.message, message)
  return error
}

/** Counts events up to an expected number. */
function counter(expected: number) {
  let count = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    reached: promise,
    add() {
      count += 1
      assert(count <= expected, 'more events than expected')
      if (count === expected) resolve()
    },
  }
}
