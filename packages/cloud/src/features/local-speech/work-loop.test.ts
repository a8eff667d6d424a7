import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withTimeout } from '../../../test/support/wait-for.ts'
import { WorkLoop } from './work-loop.ts'
import { WorkMeter } from './work-meter.ts'

/** A meter whose work takes exactly as long as it says. */
function createMeter() {
  let now = 0
  const meter = new WorkMeter(() => now)
  const recognize = (audioMs: number, workMs: number) => {
    meter.addAudio(audioMs)
    assert.equal(
      meter.work(() => {
        now += workMs
      }),
      workMs,
    )
  }
  return { meter, recognize }
}

describe('WorkMeter', () => {
  test('LSP-5: the capacity follows from the time that a second of audio takes', () => {
    const { meter, recognize } = createMeter()
    recognize(2_000, 200)
    assert.ok(Math.abs(meter.realTimeFactor - 0.1) < 0.01)
    assert.equal(meter.capacity, 6)
  })

  test('LSP-5: a machine that becomes slower takes fewer streams, and one that is too slow takes one', () => {
    const { meter, recognize } = createMeter()
    for (let at = 0; at < 120; at += 1) recognize(1_000, 100)
    for (let at = 0; at < 120; at += 1) recognize(1_000, 300)
    assert.equal(meter.capacity, 2)
    for (let at = 0; at < 120; at += 1) recognize(1_000, 2_000)
    assert.equal(meter.capacity, 1)
  })
})

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
