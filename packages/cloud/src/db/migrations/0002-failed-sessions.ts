import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Counts the sessions in a row in which a running app could not be started. */
export const failedSessions: Migration = {
  summary: 'Apps whose server is gone are given up after some sessions',
  async up(db: Kysely<unknown>) {
    await sql`alter table running_apps add column failed_sessions integer not null default 0`.execute(db)
  },
}
