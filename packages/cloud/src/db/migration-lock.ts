import { PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely'

/** Number of the advisory lock of Kysely, which earlier versions hold while they migrate. */
const LOCK_ID = 3_853_314_791_062_309_107n

/**
 * Waits until no other process migrates, and excludes them until the end of a transaction. A lock of the connection would
 * outlive a failed transaction behind a pooler. On SQLite a transaction excludes all other writers.
 */
export async function lockMigrations(trx: QueryExecutorProvider): Promise<void> {
  if (!(trx.getExecutor().adapter instanceof PostgresAdapter)) return
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(trx)
}

/** Locks migrations for their transaction. */
export class TransactionLockAdapter extends PostgresAdapter {
  override acquireMigrationLock(trx: QueryExecutorProvider): Promise<void> {
    return lockMigrations(trx)
  }

  override async releaseMigrationLock(): Promise<void> {}
}
