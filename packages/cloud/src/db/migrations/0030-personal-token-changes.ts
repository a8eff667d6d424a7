import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { logChanges } from './0007-change-log.ts'

/** Logs the end of personal tokens as a change of their user, so that open connections end with them. */
export const personalTokenChanges: Migration = {
  async up(db: Kysely<unknown>) {
    await logChanges(db, {
      table: 'personal_tokens',
      topic: 'users',
      keyColumn: 'user_id',
      events: ['delete'],
    })
  },
}
