import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { AcceptanceStore } from '../features/catalogue/acceptance-store.ts'
import { AppStore } from '../features/catalogue/app-store.ts'
import { UserStore } from '../identity/index.ts'
import { type Database, openDatabase } from './database.ts'
import { eachDatabase } from './testing.ts'
import { openAt } from './testing-versions.ts'

const STATUSES = ['DEVELOPMENT', 'SUBMITTED', 'REJECTED', 'PUBLISHED']

eachDatabase(({ createEmpty }) => {
  test('PRM-26: an upgrade accepts what apps declare, but not what is in review or was rejected', async (t) => {
    const options = await createEmpty(t)
    const earlier = await openAt('0034-confirmed-addresses', options)
    const user = await new UserStore(earlier).findOrCreate('ada@example.com', 1)
    for (const status of STATUSES) {
      for (const use of ['installed', 'running']) await addApp(earlier, user.id, `${status}.${use}`, status)
    }
    await earlier.destroy()

    const db = await openDatabase(options)
    t.after(() => db.destroy())
    const apps = await new AppStore(db).list()
    assert.equal(apps.length, 2 * STATUSES.length)
    const acceptances = await new AcceptanceStore(db).mapByAppId(user.id)
    for (const { id, appStoreStatus: status, approved, packageName } of apps) {
      const isTrusted = status === 'DEVELOPMENT' || status === 'PUBLISHED'
      assert.equal(approved, isTrusted ? 'everything' : 'nothing', packageName)
      const accepted = acceptances.get(id)?.permissions.map(({ type }) => type)
      assert.deepEqual(accepted, isTrusted ? ['MICROPHONE', 'CAMERA'] : [], packageName)
    }
  })
})

/** Adds an app that a user installed or runs, as the earlier version wrote it. */
async function addApp(db: Database, userId: string, id: string, status: string): Promise<void> {
  await sql`insert into apps (id, package_name, name, description, public_url, app_type, logo_url, featured,
      app_store_status, hardware_requirements, settings, tools, onboarding_instructions, screenshots, created_at, updated_at)
    values (${id}, ${id}, ${id}, '', 'https://app.example.org', 'STANDARD', '', 0,
      ${status}, '[]', '[]', '[]', '', '[]', 1, 1)`.execute(db)
  for (const [position, type] of ['MICROPHONE', 'CAMERA'].entries())
    await sql`insert into app_permissions (app_id, position, type) values (${id}, ${position}, ${type})`.execute(
      db,
    )
  if (id.endsWith('.installed'))
    await sql`insert into installs (user_id, app_id, installed_at) values (${userId}, ${id}, 1)`.execute(db)
  else await sql`insert into running_apps (user_id, app_id, since) values (${userId}, ${id}, 1)`.execute(db)
}
