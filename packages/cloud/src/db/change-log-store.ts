import type { Database } from './database.ts'

/** Removes entries of the change log from before a time (epoch ms). */
export async function removeChangesBefore(db: Database, time: number): Promise<void> {
  await db.deleteFrom('changes').where('changed_at', '<', time).execute()
}
