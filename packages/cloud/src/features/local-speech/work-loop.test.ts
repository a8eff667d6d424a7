import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTimeout } from '../../../test/support/timeout.ts'
import { WorkLoop } from './work-loop.ts'
import { WorkMeter } from './work-meter.ts'

test('LSP-2: work that is due later is done without a message', async () => {
  const delays = [0, 1, undefined]
  let steps = 0
  const done = new Promise<void>((resolve) => {
    const step = () => {
      const delay = delays[steps]
      steps += 1
      if (steps === delays.length) resolve()
      return delay
    }
    new WorkLoop(new WorkMeter(), step, () => undefined).wake()
  })
  await withTimeout(20_000, done, 'the work was not done')
  assert.equal(steps, 3)
})
