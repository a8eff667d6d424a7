import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets } from './socket-budget.ts'

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
  clock.advance(10_000)
  assert.equal(budgets.size, 1, 'kept while a socket uses it')
  budgets.release('ada')
  clock.advance(2_000)
  assert.equal(budgets.size, 0)
})
