export type { ChangedKeys, ChangeFeed } from './change-feed.ts'
export { removeOldChanges } from './change-feed.ts'
export { readCloudId } from './cloud-id-store.ts'
export {
  DATABASE_FILE,
  type Database,
  type DatabaseOptions,
  databaseCheck,
  findPoolerProblem,
  openDatabase,
  openLeaseDatabase,
  openUnlimitedPostgres,
  openWatchedDatabase,
} from './database.ts'
export { DatabaseClock, type DatabaseTime, readDatabaseTime } from './database-clock.ts'
export { databaseMetrics } from './database-metrics.ts'
export {
  type DatabaseState,
  type DatabaseVersion,
  oldestVersionAfter,
  type Program,
  pendingMigrations,
  readDatabaseState,
  requireCompatible,
} from './database-version.ts'
export { BASE, withBase } from './former-migrations.ts'
export { createMigrator, migrate, THIS_PROGRAM } from './migrate.ts'
export { migrations as knownMigrations } from './migrations/index.ts'
export { isOfRunningProcess } from './older-processes.ts'
export type { Page } from './queries.ts'
export {
  databaseNow,
  fromJson,
  inBatches,
  inTransaction,
  isUniqueViolation,
  locksRows,
  toJson,
} from './queries.ts'
export { recordChange } from './record-change.ts'
export { LruCache, RowCache } from './row-cache.ts'
export type * from './schema.ts'
export { lockDataFolder } from './server-lock.ts'
export { openSqlite } from './sqlite.ts'
