import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScopedClock } from '../session/scoped-clock.ts'
import { systemClock } from './index.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

test('a timer longer than the maximum of setTimeout fires at its time and can be canceled', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const longest = 2 ** 31 - 1
  const ran: string[] = []
  systemClock.after(2 * longest + 1_000, () => ran.push('long'))
  const cancelled = systemClock.after(2 * longest + 1_000, () => ran.push('cancelled'))
  systemClock.after(longest, () => ran.push('short'))
  t.mock.timers.tick(longest)
  assert.deepEqual(ran, ['short'])
  t.mock.timers.tick(longest)
  cancelled.cancel()
  t.mock.timers.tick(999)
  assert.deepEqual(ran, ['short'])
  t.mock.timers.tick(1)
  assert.deepEqual(ran, ['short', 'long'])
})

test('SES-10: timers are canceled when the clock is closed', () => {
  const clock = new VirtualClock()
  const owned = new ScopedClock(clock, (task) => task())
  let ran = 0
  owned.after(10, () => {
    ran += 1
    owned.after(10, () => {
      ran += 1
    })
  })
  clock.advance(10)
  owned.close()
  owned.close()
  owned.after(10, () => {
    ran += 1
  })
  clock.advance(100)
  assert.deepEqual([ran, clock.pendingTimers], [1, 0])
})
