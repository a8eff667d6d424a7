import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { systemClock } from '../../src/time/index.ts'
import { startAndKill } from '../support/interrupted-work.ts'
import { type Document, exportData, signIn } from '../support/personal-data-clients.ts'
import { type LocalCloud, spawnCloud, startCloud } from '../support/test-cloud.ts'

/** Overrides that set the wall clock clockAhead. */
const clockAhead = (ms: number) => ({ clock: { ...systemClock, now: () => Date.now() + ms } })
const minute = 60_000
const day = 24 * 60 * minute

describe('data export after an interruption or a day', () => {
  eachDatabase((database) => {
    test('EXP-20: an acknowledged export is completed after the process was killed right away', async (t) => {
      const first = await spawnCloud(t, { database })
      const { requestExport } = await signIn(first)
      const { body } = await requestExport()
      await first.kill()
      const next = await startCloud(t, { env: first.env, overrides: clockAhead(minute) })
      await next.cloud.features.personalData.exports.idle()
      const { status, download } = await signIn(next)
      assert.equal((await status(body.id)).body.status, 'completed')
      assert.equal((await download<Document>(body.id)).body.exportId, body.id)
    })

    test('EXP-20: an export interrupted by a kill is completed after its lease expires', async (t) => {
      const first = await startCloud(t, { database })
      await first.token('ada@example.com')
      await first.stop()
      await startAndKill({ env: first.env, exportFor: ['ada@example.com'] })
      const early = await startCloud(t, { env: first.env })
      await early.cloud.features.personalData.exports.idle()
      const stored = await early.cloud.db.selectFrom('exports').selectAll().execute()
      assert.equal(stored.length, 1)
      assert.equal(stored[0]?.status, 'processing', 'the lease of the killed process has not expired')
      const id = stored[0]?.id
      await early.stop()
      const next = await startCloud(t, { env: first.env, overrides: clockAhead(minute) })
      await next.cloud.features.personalData.exports.idle()
      const { status, download } = await signIn(next)
      assert.equal((await status(id)).body.status, 'completed')
      assert.equal((await download<Document>(id)).body.sections.account?.length, 4)
    })

    test('EXP-30 EXP-31: an export expires after a day, and the next sweep removes its blob and row', async (t) => {
      let passed = 0
      const clock = { ...systemClock, now: () => Date.now() + passed }
      const first = await startCloud(t, { database, overrides: { clock } })
      const { status, download } = await signIn(first)
      const id = await exportData(first, 'ada@example.com', 'json')
      passed = day - minute
      assert.equal((await download(id)).status, 200)
      passed = day
      const expired = [await status(id), await download(id)]
      assert.deepEqual(
        expired.map(({ status, body }) => [status, body.error]),
        [
          [404, 'Export request not found'],
          [404, 'Export not found'],
        ],
      )
      const exportBlobs = async ({ cloud }: LocalCloud) => {
        const keys: string[] = []
        for await (const { key } of cloud.blobs.list('exports/')) keys.push(key)
        return keys
      }
      await first.cloud.blobs.put('exports/export_orphan.1', (async function* () {})())
      assert.equal((await exportBlobs(first)).length, 2)
      await first.stop()
      const before = await startCloud(t, { env: first.env, overrides: clockAhead(day - minute) })
      await before.cloud.features.personalData.exports.idle()
      assert.deepEqual(
        await exportBlobs(before),
        [`exports/${id}.1`],
        'a blob without an export row is removed',
      )
      await before.stop()
      const after = await startCloud(t, { env: first.env, overrides: clockAhead(day + 10 * minute) })
      await after.cloud.features.personalData.exports.idle()
      assert.deepEqual(await exportBlobs(after), [])
      assert.deepEqual(await after.cloud.db.selectFrom('exports').selectAll().execute(), [])
    })
  })
})
