import { type Kysely, sql } from 'kysely'
import { CHANGE_CHANNEL, type ChangeTopic } from './change-feed.ts'
import { locksRows } from './queries.ts'
import type { Schema } from './schema.ts'

/** Adds an entry to the change log that no trigger adds. */
export async function recordChange(db: Kysely<Schema>, topic: ChangeTopic, key: string): Promise<void> {
  await db.insertInto('changes').values({ topic, key }).execute()
  if (locksRows(db)) await sql`select pg_notify(${CHANGE_CHANNEL}, '')`.execute(db)
}
