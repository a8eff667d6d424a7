import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * What happened to nodes and to apps, to be shown beside what was measured; and the model of the glasses of live
 * sessions, to search for it. Events of apps are written by triggers, so that those of the command line are not missed.
 */
export const events: Migration = {
  summary: 'Creates events of nodes and apps, and the model of the glasses of sessions.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('user_sessions').addColumn('model', 'text').execute()
    await db.schema
      .createTable('node_events')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('node', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('node_events_at').on('node_events').column('at').execute()
    await db.schema
      .createTable('app_events')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_events_key', ['app_id', 'at', 'kind'])
      .execute()
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const trigger of TRIGGERS) await (isPostgres ? onPostgres : onSqlite)(db, trigger)
  },
}

/** A change of a row that is an event of an app. */
interface EventTrigger {
  readonly name: string
  readonly on: string
  /** An SQL condition; without one, every change. */
  readonly when?: string
  readonly appId: string
  /** An SQL expression. */
  readonly kind: string
}

const TRIGGERS: readonly EventTrigger[] = [
  {
    name: 'app_status_event',
    on: 'update of app_store_status on apps',
    when: 'old.app_store_status <> new.app_store_status',
    appId: 'new.id',
    kind: `case new.app_store_status when 'PUBLISHED' then 'published' when 'SUBMITTED' then 'submitted'
      when 'REJECTED' then 'rejected' else 'unpublished' end`,
  },
  {
    name: 'app_server_event',
    on: 'update of unreachable_since on apps',
    when: '(old.unreachable_since is null) <> (new.unreachable_since is null)',
    appId: 'new.id',
    kind: `case when new.unreachable_since is null then 'server_up' else 'server_down' end`,
  },
  { name: 'app_key_made_event', on: 'insert on api_keys', appId: 'new.app_id', kind: `'key_made'` },
  { name: 'app_key_revoked_event', on: 'delete on api_keys', appId: 'old.app_id', kind: `'key_revoked'` },
]

/** The key of an app that is being deleted is no event: its app is gone. */
function insertion({ appId, kind }: EventTrigger, now: string): string {
  return `insert into app_events (app_id, at, kind) select id, ${now}, ${kind} from apps where id = ${appId}
    on conflict do nothing;`
}

async function onSqlite(db: Kysely<unknown>, trigger: EventTrigger): Promise<void> {
  const { name, on, when } = trigger
  const now = `cast(unixepoch('subsec') * 1000 as integer)`
  await sql
    .raw(
      `create trigger ${name} after ${on} ${when === undefined ? '' : `when ${when}`}
       begin ${insertion(trigger, now)} end`,
    )
    .execute(db)
}

async function onPostgres(db: Kysely<unknown>, trigger: EventTrigger): Promise<void> {
  const { name, on, when } = trigger
  const now = `(extract(epoch from clock_timestamp()) * 1000)::bigint`
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as
       $$ begin ${insertion(trigger, now)} return null; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger ${name} after ${on} for each row ${when === undefined ? '' : `when (${when})`}
       execute function ${name}()`,
    )
    .execute(db)
}
