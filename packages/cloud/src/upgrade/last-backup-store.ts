import type { Database } from '../db/index.ts'

/** A backup that succeeded. */
export interface LastBackup {
  /** Epoch ms. */
  readonly at: number
  readonly place: string
}

/** Returns the newest backup that the cloud recorded; none if the database is older than the record. */
export async function findLastBackup(db: Database): Promise<LastBackup | undefined> {
  const row = await db
    .selectFrom('backup_state')
    .select(['succeeded_at', 'place'])
    .where('succeeded_at', 'is not', null)
    .orderBy('succeeded_at', 'desc')
    .executeTakeFirst()
    .catch(() => undefined)
  return row?.succeeded_at == null
    ? undefined
    : { at: row.succeeded_at, place: row.place ?? 'an unknown place' }
}
