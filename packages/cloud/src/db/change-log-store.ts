import { CHANGE_RETENTION_MS } from './change-feed.ts'
import type { Database } from './database.ts'

/**
 * Removes entries of the change log that every reader has had time to read.
 * @param now epoch ms
 */
export async function removeOldChanges(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('changes')
    .where('changed_at', '<', now - CHANGE_RETENTION_MS)
    .execute()
}
