import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eachDatabase } from '../../src/db/testing.ts'
import { deleteAccount, issueForeignToken, me, seconds } from '../support/deletion-client.ts'
import { startAndKill } from '../support/interrupted-work.ts'
import { startCloud } from '../support/test-cloud.ts'
import { createUserWithData, findOccurrences } from '../support/user-data.ts'

describe('account deletion after an interruption', () => {
  eachDatabase((database) => {
    test('DEL-7: a kill after each step', async (t) => {
      const first = await startCloud(t, { database })
      const count = first.cloud.features.personalData.deletions.steps.length + 1
      const users = []
      for (let n = 0; n < count; n++)
        users.push(await createUserWithData(first, `${'abcdefghijklmnopqrstuvwxyz'[n]}@example.com`))
      const eve = await createUserWithData(first, 'stays@example.com')
      const kept = await findOccurrences(first.cloud, [eve.id, eve.email])
      await first.stop()
      await startAndKill({ env: first.env, deletionOf: users.map(({ email }) => email) })
      const next = await startCloud(t, { env: first.env })
      await next.cloud.features.personalData.deletions.idle()
      const texts = users.flatMap(({ id, email }) => [id, email])
      assert.deepEqual(await findOccurrences(next.cloud, texts), [])
      assert.deepEqual(await findOccurrences(next.cloud, [eve.id, eve.email]), kept)
      for (const { token } of users) assert.equal((await me(next, token)).status, 401)
    })

    test('DEL-3 DEL-8: a failed deletion leaves the account closed and is retried at the next start', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'error' } })
      const ada = await createUserWithData(cloud, 'ada@example.com')
      await sql`alter table api_keys rename to hidden_keys`.execute(cloud.cloud.db)
      const failed = await deleteAccount(cloud, ada.token)
      assert.deepEqual([failed.status, failed.body], [500, { error: 'Failed to delete user account' }])
      assert.equal((await me(cloud, ada.token)).status, 401)
      const late = issueForeignToken(ada.email, seconds(Date.now()) + 30)
      assert.equal((await me(cloud, late)).status, 401, 'no token is accepted until the deletion is complete')
      await sql`alter table hidden_keys rename to api_keys`.execute(cloud.cloud.db)
      await cloud.stop()
      const next = await startCloud(t, { env: cloud.env })
      await next.cloud.features.personalData.deletions.idle()
      assert.deepEqual(await findOccurrences(next.cloud, [ada.id, ada.email]), [])
      assert.equal((await me(next, ada.token)).status, 401)
    })
  })
})
