import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'
import { findUserTables } from '../support/user-tables.ts'

/**
 * Tables with nothing to export: totals of other tables, hashes of one-minute tokens, deletions, device sign-ins,
 * uploads and streams in progress, and invitations of addresses without an account.
 */
const NOT_EXPORTED = [
  'deletions',
  'device_codes',
  'gallery_usage',
  'sign_up_invitations',
  'space_reservations',
  'stream_inputs',
  'webview_tokens',
]

async function tablesWithoutSection({ cloud }: LocalCloud): Promise<string[]> {
  const covered: string[] = cloud.features.personalData.exportSections.flatMap(({ tables = [] }) => [
    ...tables,
  ])
  const tables = await findUserTables(cloud.db)
  return tables
    .map(({ name }) => name)
    .filter((name) => !covered.includes(name) && !NOT_EXPORTED.includes(name))
}

async function tablesWithoutDeletion({ cloud }: LocalCloud): Promise<string[]> {
  const covered: string[] = cloud.features.personalData.deletionSteps.flatMap(({ tables = [] }) => [
    ...tables,
  ])
  const tables = await findUserTables(cloud.db)
  return tables.filter(({ name, cascades }) => !cascades && !covered.includes(name)).map(({ name }) => name)
}

describe('tables with data of users', () => {
  test('EXP-13 DEL-2: each is covered by an export section and by a deletion step or the cascade', async (t) => {
    const cloud = await startCloud(t)
    assert.deepEqual(await tablesWithoutSection(cloud), [])
    assert.deepEqual(await tablesWithoutDeletion(cloud), [])
  })

  test('EXP-13 DEL-2: a new table without section and step is found', async (t) => {
    const cloud = await startCloud(t)
    const { db } = cloud.cloud
    await sql`create table covered_by_cascade (user_id text references users (id) on delete cascade)`.execute(
      db,
    )
    await sql`create table not_covered (owner text references users (id))`.execute(db)
    await sql`create table without_key (user_id text)`.execute(db)
    assert.deepEqual(await tablesWithoutSection(cloud), ['covered_by_cascade', 'not_covered', 'without_key'])
    assert.deepEqual(await tablesWithoutDeletion(cloud), ['not_covered', 'without_key'])
  })

  test('EXP-13: every section yields facts for a user with data in every table', async (t) => {
    const cloud = await startCloud(t)
    const { id, email } = await createUserWithData(cloud, 'ada@example.com')
    for (const { name, facts } of cloud.cloud.features.personalData.exportSections) {
      const { done } = await facts({ id, email }, 'json')[Symbol.asyncIterator]().next()
      assert.notEqual(done, true, `the section ${name} is empty`)
    }
  })
})
