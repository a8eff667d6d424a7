import { type Kysely, sql } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

interface Tables {
  apps: { id: string; app_store_status: string; approved: string | null }
  app_permissions: { app_id: string; position: number; type: string }
  permission_acceptances: { user_id: string; app_id: string; permissions: string; updated_at: number }
}

/**
 * The revision of each app that a review approved, when each permission was declared, and which ones each user accepted.
 *
 * What runs keeps running: what an app declares now counts as approved unless the app is in review or was rejected, and
 * what is approved as accepted by everyone who has installed the app or runs it. What was not approved, each of them is
 * asked for.
 */
export const permissionAcceptances: Migration = {
  summary: 'Adds approved revisions of apps, and the permissions that each user accepted.',
  async up(db: Kysely<unknown>) {
    const tables = db as Kysely<Tables>
    await db.schema.alterTable('apps').addColumn('approved', 'text').execute()
    await db.schema
      .alterTable('app_permissions')
      .addColumn('declared_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await tables
      .updateTable('apps')
      .set({ approved: '' })
      .where('app_store_status', 'in', ['SUBMITTED', 'REJECTED'])
      .execute()
    await db.schema
      .createTable('permission_acceptances')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('permission_acceptances_key', ['user_id', 'app_id'])
      .execute()
    await db.schema
      .createIndex('permission_acceptances_app')
      .on('permission_acceptances')
      .column('app_id')
      .execute()
    await acceptDeclared(tables)
    for (const topic of ['user_apps', 'user_access'])
      await logChanges(db, {
        table: 'permission_acceptances',
        topic,
        keyColumn: 'user_id',
        events: ['insert', 'update', 'delete'],
      })
    await logChanges(db, {
      table: 'organization_members',
      topic: 'user_access',
      keyColumn: 'user_id',
      events: ['insert', 'delete'],
    })
  },
}

async function acceptDeclared(db: Kysely<Tables>): Promise<void> {
  const declared = await db.selectFrom('app_permissions').selectAll().orderBy('position').execute()
  const byApp = Map.groupBy(declared, ({ app_id }) => app_id)
  for (const { id, approved } of await db.selectFrom('apps').select(['id', 'approved']).execute()) {
    const accepted = approved === '' ? [] : (byApp.get(id) ?? [])
    const permissions = accepted.map(({ type }) => ({ type, acceptedAt: 0, isInitial: true }))
    await sql`insert into permission_acceptances (user_id, app_id, permissions, updated_at)
      select user_id, app_id, ${JSON.stringify(permissions)}, 0 from (
        select user_id, app_id from installs where app_id = ${id}
        union select user_id, app_id from running_apps where app_id = ${id}
      ) present`.execute(db)
  }
}
