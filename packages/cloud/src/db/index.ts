export { inBatches } from './batches.ts'
export type { ChangedKeys, ChangeFeed } from './change-feed.ts'
export { removeOldChanges } from './change-log-store.ts'
export {
  type Database,
  openDatabase,
  openLeaseDatabase,
  openWatchedDatabase,
} from './database.ts'
export { databaseCheck } from './database-check.ts'
export { DatabaseClock, type DatabaseTime, readDatabaseTime } from './database-clock.ts'
export { databaseNow, locksRows } from './database-now.ts'
export { isUniqueViolation } from './errors.ts'
export { fromJson, toJson } from './json.ts'
export { LruCache } from './lru-cache.ts'
export type { Page } from './page.ts'
export { RowCache } from './row-cache.ts'
export type * from './schema.ts'
