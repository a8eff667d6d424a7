import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { TokenBucket } from './socket-budget.ts'

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
