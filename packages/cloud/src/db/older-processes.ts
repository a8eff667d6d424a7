import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { compareVersions } from '../config/index.ts'
import { type DatabaseState, oldestVersionAfter, type Program } from './database-version.ts'
import type { Schema } from './schema.ts'

/**
 * Runs migrations. If they exclude versions that may use the database so far, no process of these may be running: on
 * PostgreSQL none that is connected, on SQLite none at all, whose version is unknown.
 * @throws Error with a message for the operator if there is one; then nothing has changed (UPG-13)
 */
export async function withoutOlderProcesses<Result>(
  db: Kysely<Schema>,
  state: DatabaseState,
  program: Program,
  work: () => Promise<Result>,
): Promise<Result> {
  const oldest = oldestVersionAfter(state, program)
  if (state.version === undefined || compareVersions(oldest, state.version.oldestVersion) <= 0) return work()
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const running = await olderVersion(db, oldest)
    if (running !== undefined) throw new Error(stillRuns(program, `a process of version ${running}`))
    return work()
  }
  await sql`pragma locking_mode = exclusive`.execute(db)
  try {
    await sql`begin exclusive`.execute(db)
    await sql`commit`.execute(db)
    return await work()
  } catch (error) {
    const isLocked = error instanceof Error && /database is locked/.test(error.message)
    throw isLocked ? new Error(stillRuns(program, 'another process'), { cause: error }) : error
  } finally {
    await sql`pragma locking_mode = normal`.execute(db)
    // The lock is released by the next access.
    await sql`select 1 from sqlite_master limit 1`.execute(db)
  }
}

/**
 * Condition of `pg_stat_activity`: another connection to this database that a running process has. A process closes what it
 * has not used for 10 s; a pooler keeps connections under the name of a process that has ended.
 */
export const isOfRunningProcess = sql<boolean>`datname = current_database() and pid <> pg_backend_pid()
  and (state is distinct from 'idle' or state_change > now() - interval '15 seconds')`

/** Returns the version of a connected process that is older than `oldest`. */
async function olderVersion(db: Kysely<Schema>, oldest: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select substr(application_name, 15) as version from pg_stat_activity
    where application_name like 'glasses-cloud %' and ${isOfRunningProcess}`.execute(db)
  return rows.find(({ version }) => compareVersions(version, oldest) < 0)?.version
}

const stillRuns = ({ version }: Program, other: string) =>
  `Version ${version} changes the database so that earlier versions cannot use it, and ${other} uses it now. ` +
  'Stop all nodes and commands of earlier versions first.'
