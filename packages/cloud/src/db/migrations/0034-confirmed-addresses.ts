import { type Kysely, sql } from 'kysely'
import { dropChangeTrigger, logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

const users = { table: 'users', topic: 'users', keyColumn: 'id' } as const

/**
 * Confirmed addresses: who registered an app, and the claims of addresses that were not confirmed.
 *
 * Users without a way to sign in and administrators count as confirmed, because the operator or another issuer named
 * their addresses. An app belongs to the account of its developer if that is
 * confirmed and existed when the app was registered; others count as registered by the operator for their address.
 */
export const confirmedAddresses: Migration = {
  summary: 'Adds the account that registered each app, and claims of unconfirmed addresses.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('deletions').addColumn('claim', 'text').execute()
    await db.schema.alterTable('apps').addColumn('developer_user_id', 'text').execute()
    await db.schema.createIndex('apps_developer_user').on('apps').column('developer_user_id').execute()
    await sql`update users set email_verified = 1 where email_verified = 0 and (is_administrator = 1
      or not exists (select 1 from sign_in_methods where sign_in_methods.user_id = users.id))`.execute(db)
    await sql`update apps set developer_user_id = (
      select users.id from users
      where users.email = apps.developer_id and users.email_verified = 1 and users.created_at <= apps.created_at
    )`.execute(db)
    await dropChangeTrigger(db, users, 'update')
    await logChanges(db, {
      ...users,
      events: ['update'],
      columns: [
        'email',
        'name',
        'profile',
        'tokens_valid_from',
        'is_administrator',
        'suspended_at',
        'email_verified',
      ],
    })
  },
}
