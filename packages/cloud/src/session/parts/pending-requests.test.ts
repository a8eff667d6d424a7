import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { PendingRequests } from './pending-requests.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'

function pendingRequests(maxPerOwner = 2) {
  const clock = new VirtualClock()
  const dropped: string[] = []
  const pending = new PendingRequests<number>(clock, {
    timeoutMs: 1_000,
    maxPerOwner,
    onDrop: ({ owner, requestId, details }, reason) =>
      dropped.push(`${owner} ${requestId} ${details} ${reason}`),
  })
  return { clock, pending, dropped }
}

test('PLAY-2: a request completes once, and its deadline is canceled', () => {
  const { clock, pending, dropped } = pendingRequests()
  const request = pending.add(A, 'r1', 7)
  assert.deepEqual(request, { id: 'r1', owner: A, requestId: 'r1', details: 7 })
  assert.ok(pending.has('r1'))
  assert.equal(pending.complete('unknown'), undefined)
  assert.equal(pending.complete('r1'), request)
  assert.equal(pending.complete('r1'), undefined)
  assert.ok(!pending.has('r1'))
  assert.equal(clock.pendingTimers, 0)
  clock.advance(1_000)
  assert.deepEqual(dropped, [])
})

test('PLAY-3 LOC-14 PHO-6: a request times out after its own timeoutMs', () => {
  const { clock, pending, dropped } = pendingRequests()
  pending.add(A, 'r1', 1)
  clock.advance(400)
  pending.add(A, 'r2', 2)
  clock.advance(599)
  assert.deepEqual(dropped, [])
  clock.advance(1)
  assert.deepEqual(dropped, [`${A} r1 1 timeout`])
  assert.deepEqual(
    [...pending].map(({ id }) => id),
    ['r2'],
  )
  clock.advance(400)
  assert.deepEqual(dropped, [`${A} r1 1 timeout`, `${A} r2 2 timeout`])
})

test('PLAY-5 LOC-15 PHO-8: requests of two owners with the same requestId have different ids', () => {
  const { pending } = pendingRequests(3)
  // The id that the second request would receive is taken as well.
  const ids = [
    pending.add(A, 'same_1', 0).id,
    pending.add(A, 'same', 1).id,
    pending.add(B, 'same', 2).id,
    pending.add(B, 'same_1', 3).id,
  ]
  assert.equal(new Set(ids).size, 4)
  assert.equal(pending.find('same')?.details, 1)
  assert.equal(pending.find('same', B)?.details, 2)
  assert.equal(pending.find('same', 'dev.example.c'), undefined)
  const [, , idOfB = ''] = ids
  assert.equal(pending.complete(idOfB)?.details, 2)
  assert.equal(pending.find('same', B), undefined)
  assert.equal(pending.find('same', A)?.details, 1)
})

test('PLAY-6 PHN-51: beyond maxPerOwner a new request evicts the oldest of its owner', () => {
  const { clock, pending, dropped } = pendingRequests()
  pending.add(B, 'b1', 0)
  pending.add(A, 'a1', 1)
  assert.ok(!pending.isFull(A))
  pending.add(A, 'a2', 2)
  assert.ok(pending.isFull(A))
  assert.ok(!pending.isFull(B))
  pending.add(A, 'a3', 3)
  assert.deepEqual(dropped, [`${A} a1 1 evicted`])
  assert.deepEqual(
    [...pending].map(({ id }) => id),
    ['b1', 'a2', 'a3'],
  )
  assert.equal(clock.pendingTimers, 3)
})

test('PLAY-8 PLAY-23 LOC-16: cancel removes the requests of one owner, clear removes all', () => {
  const { clock, pending, dropped } = pendingRequests()
  pending.add(A, 'r1', 1)
  pending.add(B, 'r2', 2)
  pending.add(A, 'r3', 3)
  assert.deepEqual(
    pending.cancel(A).map(({ requestId }) => requestId),
    ['r1', 'r3'],
  )
  assert.deepEqual(pending.cancel(A), [])
  assert.deepEqual(
    [...pending].map(({ id }) => id),
    ['r2'],
  )
  assert.equal(clock.pendingTimers, 1)
  pending.clear()
  assert.deepEqual([...pending], [])
  assert.equal(clock.pendingTimers, 0)
  assert.deepEqual(dropped, [])
})
