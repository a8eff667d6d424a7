import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { defaultLimits } from '../limits.ts'
import { SocketBudgets } from '../socket-budget.ts'
import type { WsPeer } from '../ws-peer.ts'
import { RelayBudget } from './relay-budget.ts'

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
  clock.advance(2_000)
  assert.equal(budgets.size, 0)
})
