import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets, TokenBucket } from './socket-budget.ts'

const takeAll = (bucket: TokenBucket): number => {
  let taken = 0
  while (bucket.take()) taken += 1
  return taken
}

test('SOC-20: a bucket refills over time up to its capacity', () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, 50)
  assert.equal(takeAll(bucket), 50)
  clock.advance(100)
  assert.equal(takeAll(bucket), 5)
  clock.advance(3_600_000)
  assert.equal(takeAll(bucket), 50)
  const wide = new TokenBucket(clock, 50, 120)
  assert.equal(wide.take(121), false)
  assert.equal(wide.take(120), true)
})

test('SOC-20: a jump of the wall clock neither removes nor adds tokens', () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, 50)
  assert.equal(bucket.take(40), true)
  clock.jumpWallClock(-3_600_000)
  assert.equal(takeAll(bucket), 10)
  clock.jumpWallClock(7_200_000)
  assert.equal(takeAll(bucket), 0)
  clock.advance(100)
  assert.equal(takeAll(bucket), 5)
})

test('SOC-54: after a silence a bucket holds the backlog of a stalled network too', () => {
  const clock = new VirtualClock()
  const bucket = new TokenBucket(clock, 50, 50, { perSecond: 10, maxMs: 40_000 })
  assert.equal(takeAll(bucket), 50, 'a client that has just connected has no backlog')
  clock.advance(10_000)
  assert.equal(takeAll(bucket), 140)
  clock.advance(3_600_000)
  assert.equal(takeAll(bucket), 450)
  // A client that never pauses has no more than its rate.
  let taken = 0
  for (let n = 0; n < 1_000; n += 1) {
    clock.advance(10)
    while (bucket.take()) taken += 1
  }
  assert.ok(taken <= 501, `${taken} in ten seconds`)
})

test('SOC-48: two sockets of a user, and a reconnect', () => {
  const clock = new VirtualClock()
  const budgets = new SocketBudgets(clock, defaultLimits)
  const first = budgets.acquire('ada')
  assert.equal(first.messages.take(50), true)
  assert.equal(budgets.acquire('ada').messages.take(), false)
  assert.equal(budgets.acquire('eve').messages.take(50), true)
  budgets.release('ada')
  budgets.release('ada')
  clock.advance(100)
  const again = budgets.acquire('ada')
  assert.equal(again.messages.take(6), false)
  assert.equal(again.messages.take(5), true)
})

test('SOC-48: a budget is removed once it would be full again', () => {
  const clock = new VirtualClock()
  const budgets = new SocketBudgets(clock, defaultLimits)
  budgets.acquire('ada')
  budgets.release('ada')
  clock.advance(1_000)
  budgets.acquire('ada')
  clock.advance(60_000)
  assert.equal(budgets.size, 1, 'kept while a socket uses it')
  budgets.release('ada')
  clock.advance(defaultLimits.stallMs)
  assert.equal(budgets.size, 0)
})
