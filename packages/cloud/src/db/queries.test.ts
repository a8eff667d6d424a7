import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inBatches } from './queries.ts'

describe('batches', () => {
  test('every item is in one batch, in order, and batches have five sizes', () => {
    const sizes = new Set<number>()
    for (let length = 0; length <= 700; length++) {
      const items = Array.from({ length }, (_, index) => index)
      const batches = [...inBatches(items)]
      assert.deepEqual(batches.flat(), items)
      for (const batch of batches) sizes.add(batch.length)
    }
    assert.deepEqual(
      [...sizes].sort((a, b) => a - b),
      [1, 4, 16, 64, 256],
    )
  })
})
