import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../src/db/index.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'

/** A table whose rows refer to users. */
export interface UserTable {
  readonly name: string
  /** Whether its rows are deleted with the row of the user. */
  readonly cascades: boolean
}

/** Columns that refer to a user without a foreign key. */
const USER_COLUMN = /^(user_id|actor_id|email|user_email|developer_id)$/

/** Returns the tables of a SQLite database that refer to users: by foreign keys, directly or not, or by a column. */
async function findUserTables(db: Database): Promise<UserTable[]> {
  const tables = await db.introspection.getTables()
  const { rows: keys } = await sql<{ from: string; to: string; onDelete: string }>`
    select m.name as "from", f."table" as "to", f.on_delete as "onDelete"
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db)
  const found = new Map<string, boolean>([['users', true]])
  const referring = () => keys.filter(({ from, to }) => found.has(to) && !found.has(from))
  for (let next = referring(); next.length > 0; next = referring())
    for (const { from, to, onDelete } of next)
      found.set(from, found.get(to) === true && onDelete === 'CASCADE')
  for (const { name, columns } of tables)
    if (!found.has(name) && columns.some((column) => USER_COLUMN.test(column.name))) found.set(name, false)
  return [...found].map(([name, cascades]) => ({ name, cascades })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

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
