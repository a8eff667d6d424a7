import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const initial: Migration = {
  summary: 'Creates users, organizations, apps, installs, sessions and settings.',
  async up(db: Kysely<unknown>) {
    await createAccounts(db)
    await createCatalogue(db)
    await createUse(db)
    await createSettings(db)
  },
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('email', byteOrdered(db), (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('profile', 'text', (c) => c.notNull())
    .addColumn('tokens_valid_from', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('deleted_users')
    .addColumn('email_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('deleted_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('slug', byteOrdered(db), (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('profile', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('organization_members')
    .addColumn('organization_id', 'text', (c) =>
      c.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('joined_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('organization_members_pk', ['organization_id', 'user_id'])
    .execute()
  await db.schema
    .createIndex('organization_members_user')
    .on('organization_members')
    .column('user_id')
    .execute()
}

async function createCatalogue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('apps')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('package_name', byteOrdered(db), (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_lower', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('description_lower', 'text', (c) => c.notNull())
    .addColumn('public_url', 'text', (c) => c.notNull())
    .addColumn('app_type', 'text', (c) => c.notNull())
    .addColumn('logo_url', 'text', (c) => c.notNull())
    .addColumn('webview_url', 'text')
    .addColumn('featured', 'integer', (c) => c.notNull())
    .addColumn('min_hardware_version', 'text')
    .addColumn('app_store_status', 'text', (c) => c.notNull())
    .addColumn('developer_id', 'text')
    .addColumn('organization_id', 'text', (c) => c.references('organizations.id').onDelete('set null'))
    .addColumn('hardware_requirements', 'text', (c) => c.notNull())
    .addColumn('settings', 'text', (c) => c.notNull())
    .addColumn('tools', 'text', (c) => c.notNull())
    .addColumn('unreachable_since', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('apps_status')
    .on('apps')
    .columns(['app_store_status', 'package_name'])
    .execute()
  await db.schema.createIndex('apps_developer').on('apps').column('developer_id').execute()
  await db.schema.createIndex('apps_organization').on('apps').column('organization_id').execute()

  await db.schema
    .createTable('app_permissions')
    .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addPrimaryKeyConstraint('app_permissions_pk', ['app_id', 'type'])
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('key_hash', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('api_keys_app').on('api_keys').column('app_id').execute()
}

async function createUse(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installs')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('installed_at', 'bigint', (c) => c.notNull())
    .addColumn('last_active_at', 'bigint')
    .addPrimaryKeyConstraint('installs_pk', ['user_id', 'app_id'])
    .execute()
  await db.schema.createIndex('installs_app').on('installs').column('app_id').execute()

  await db.schema
    .createTable('running_apps')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('running_apps_pk', ['user_id', 'app_id'])
    .execute()
  await db.schema.createIndex('running_apps_app').on('running_apps').column('app_id').execute()

  await db.schema
    .createTable('user_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().unique().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_settings')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('user_settings_pk', ['user_id', 'key'])
    .execute()

  await db.schema
    .createTable('app_settings')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('app_settings_pk', ['user_id', 'app_id', 'key'])
    .execute()
  await db.schema.createIndex('app_settings_app').on('app_settings').column('app_id').execute()
}
