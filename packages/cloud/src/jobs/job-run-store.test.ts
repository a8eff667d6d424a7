import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { JobRunStore } from './job-run-store.ts'

describe('runs of periodic jobs', () => {
  eachDatabase(({ open }) => {
    test('STO-71: a due job is claimed once, and again after its interval or a release', async (t) => {
      const runs = new JobRunStore(await open(t))
      const claims = await Promise.all(Array.from({ length: 5 }, () => runs.claim('sweep', 100, 1_000)))
      assert.equal(claims.filter(Boolean).length, 1)
      assert.equal(await runs.claim('other', 100, 1_000), true)
      assert.equal(await runs.claim('sweep', 100, 1_099), false)
      assert.equal(await runs.claim('sweep', 100, 1_100), true)
      await runs.release('sweep')
      assert.equal(await runs.claim('sweep', 100, 1_101), true)
    })
  })
})
