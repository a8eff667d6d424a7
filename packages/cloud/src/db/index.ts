export { inBatches } from './batches.ts'
export type { ChangedKeys, ChangeFeed } from './change-feed.ts'
export { removeOldChanges } from './change-log-store.ts'
export {
  type Database,
  openDatabase,
  openWatchedDatabase,
} from './database.ts'
export { databaseCheck } from './database-check.ts'
export { isUniqueViolation } from './errors.ts'
export { fromJson, toJson } from './json.ts'
export type { Page } from './page.ts'
export { RowCache } from './row-cache.ts'
export type * from './schema.ts'
