import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { JobRunStore } from '../../jobs/index.ts'
import { VirtualClock } from '../../session/testing/virtual-clock.ts'
import { createSweepJob } from './sweep-job.ts'

const HOUR_MS = 60 * 60 * 1000
const log = pino({ level: 'silent' })

describe('gallery sweep', () => {
  eachDatabase(({ open }) => {
    test('GAL-18: a restart on the same day does not repeat the sweep', async (t) => {
      const runs = new JobRunStore(await open(t))
      const clock = new VirtualClock()
      let sweeps = 0
      const gallery = { sweep: async () => void sweeps++ }
      for (const expected of [1, 1, 2]) {
        const job = createSweepJob({ gallery, runs, clock, log })
        job.start()
        await job.stop()
        assert.equal(sweeps, expected)
        clock.advance(12 * HOUR_MS)
      }
    })

    test('GAL-18: a shutdown aborts the sweep, and the next start repeats it', async (t) => {
      const runs = new JobRunStore(await open(t))
      const clock = new VirtualClock()
      const started = Promise.withResolvers<void>()
      const endless = (signal?: AbortSignal) =>
        new Promise<void>((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          started.resolve()
        })
      const job = createSweepJob({ gallery: { sweep: endless }, runs, clock, log })
      job.start()
      await started.promise
      await job.stop()
      let sweeps = 0
      const next = createSweepJob({ gallery: { sweep: async () => void sweeps++ }, runs, clock, log })
      next.start()
      await next.stop()
      assert.equal(sweeps, 1)
    })
  })
})
