import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Creates a log of changed rows, written by triggers, so that every process notices the writes of all others, the command
 * line included. Entries are removed after an hour.
 */
export async function createChangeLog(db: Kysely<unknown>): Promise<void> {
  await (isPostgres(db) ? createForPostgres(db) : createForSqlite(db))
}

/** A table whose changes are logged under a topic, with the column that is the key. */
export interface LoggedTable {
  readonly table: string
  readonly topic: string
  readonly keyColumn: string
  readonly events: readonly ('insert' | 'update' | 'delete')[]
  /** Columns whose changes count; all if absent. */
  readonly columns?: readonly string[]
}

async function createForSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create table changes (
    id integer primary key autoincrement,
    topic text not null,
    key text not null,
    changed_at bigint not null default (cast(unixepoch('subsec') * 1000 as integer))
  )`.execute(db)
}

async function createSqliteTriggers(db: Kysely<unknown>, logged: LoggedTable): Promise<void> {
  const { table, topic, keyColumn, events, columns } = logged
  for (const event of events) {
    const row = event === 'delete' ? 'old' : 'new'
    const columnList =
      event === 'update' && columns ? sql` of ${sql.join(columns.map((c) => sql.ref(c)))}` : sql``
    await sql`create trigger ${sql.ref(triggerName(table, topic, event))}
      after ${sql.raw(event)}${columnList} on ${sql.table(table)}${condition(event, columns, 'is not')}
      begin
        ${isUserDeletion(topic, event) ? sql`delete from changes where key = old.id;` : sql``}
        insert into changes (topic, key)
        values (${sql.lit(topic)}, ${isUserDeletion(topic, event) ? sql`''` : sql.ref(`${row}.${keyColumn}`)});
      end`.execute(db)
  }
}

async function createForPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create table changes (
    id bigint generated always as identity primary key,
    transaction_id xid8 not null default pg_current_xact_id(),
    topic text not null,
    key text not null,
    changed_at bigint not null default (extract(epoch from clock_timestamp()) * 1000)::bigint
  )`.execute(db)
  await sql`create index changes_transaction on changes (transaction_id)`.execute(db)
  await sql`create function log_change() returns trigger language plpgsql as $$
    declare
      changed record;
    begin
      if tg_op = 'DELETE' then changed := old; else changed := new; end if;
      if tg_op = 'DELETE' and tg_argv[0] = 'users' then
        delete from changes where key = old.id;
        insert into changes (topic, key) values ('users', '');
        perform pg_notify('glasses_cloud_changes', '');
        return null;
      end if;
      execute format('insert into changes (topic, key) select $1, ($2).%I', tg_argv[1]) using tg_argv[0], changed;
      perform pg_notify('glasses_cloud_changes', '');
      return null;
    end
  $$`.execute(db)
}

async function createPostgresTriggers(db: Kysely<unknown>, logged: LoggedTable): Promise<void> {
  const { table, topic, keyColumn, events, columns } = logged
  for (const event of events) {
    const columnList =
      event === 'update' && columns ? sql` of ${sql.join(columns.map((c) => sql.ref(c)))}` : sql``
    // Entries of rows that are deleted with their user are written before the deferred trigger removes them.
    const [kind, timing] = isUserDeletion(topic, event)
      ? [sql`constraint trigger`, sql` deferrable initially deferred`]
      : [sql`trigger`, sql``]
    await sql`create ${kind} ${sql.ref(triggerName(table, topic, event))}
      after ${sql.raw(event)}${columnList} on ${sql.table(table)}${timing}
      for each row${condition(event, columns, 'is distinct from')}
      execute function log_change(${sql.lit(topic)}, ${sql.lit(keyColumn)})`.execute(db)
  }
}

/** Logs the changes of a table. */
export async function logChanges(db: Kysely<unknown>, logged: LoggedTable): Promise<void> {
  await (isPostgres(db) ? createPostgresTriggers(db, logged) : createSqliteTriggers(db, logged))
}

/** Whether it is PostgreSQL; otherwise it is SQLite. */
export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The log must not contain the id of a deleted user (DEL-2), so the entry names none and stands for all users. */
function isUserDeletion(topic: string, event: string): boolean {
  return topic === 'users' && event === 'delete'
}

function triggerName(table: string, topic: string, event: string): string {
  return `log_${table}_${topic}_${event}`
}

/** Restricts an update trigger to rows of which a column really changed. */
function condition(event: string, columns: readonly string[] | undefined, differs: string) {
  if (event !== 'update' || columns === undefined) return sql``
  const comparisons = columns.map(
    (column) => sql`${sql.ref(`old.${column}`)} ${sql.raw(differs)} ${sql.ref(`new.${column}`)}`,
  )
  return sql` when (${sql.join(comparisons, sql` or `)})`
}
