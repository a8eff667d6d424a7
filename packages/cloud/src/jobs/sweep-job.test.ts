import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../db/testing.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { JobRunStore } from './job-run-store.ts'
import { createSweepJob } from './sweep-job.ts'

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

const HOUR_MS = 60 * 60 * 1000
const log = pino({ level: 'silent' })

const timing = { name: 'sweep', everyMs: 24 * HOUR_MS, checkEveryMs: HOUR_MS, log }

describe('sweeps', () => {
  eachDatabase(({ open }) => {
    test('STO-71: a restart on the same day does not repeat the sweep', async (t) => {
      const runs = new JobRunStore(await open(t))
      const clock = new VirtualClock()
      let sweeps = 0
      const sweep = async () => void sweeps++
      for (const expected of [1, 1, 2]) {
        const job = createSweepJob({ ...timing, sweep, runs, clock })
        job.start()
        await job.stop()
        assert.equal(sweeps, expected)
        clock.advance(12 * HOUR_MS)
      }
    })

    test('STO-71: of several nodes, one sweeps', async (t) => {
      const runs = new JobRunStore(await open(t))
      const clock = new VirtualClock()
      let sweeps = 0
      const nodes = Array.from({ length: 3 }, () =>
        createSweepJob({ ...timing, sweep: async () => void sweeps++, runs, clock }),
      )
      for (const node of nodes) node.start()
      await Promise.all(nodes.map((node) => node.idle()))
      assert.equal(sweeps, 1)
      await Promise.all(nodes.map((node) => node.stop()))
    })

    test('STO-71: a shutdown aborts the sweep, and the next start repeats it', async (t) => {
      const runs = new JobRunStore(await open(t))
      const clock = new VirtualClock()
      const started = Promise.withResolvers<void>()
      const endless = (signal?: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          started.resolve()
        })
      const job = createSweepJob({ ...timing, sweep: endless, runs, clock })
      job.start()
      await started.promise
      await job.stop()
      let sweeps = 0
      const next = createSweepJob({ ...timing, sweep: async () => void sweeps++, runs, clock })
      next.start()
      await next.stop()
      assert.equal(sweeps, 1)
    })
  })
})
