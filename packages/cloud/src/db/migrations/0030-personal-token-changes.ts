import type { Kysely } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

export const personalTokenChanges: Migration = {
  summary: 'Logs the end of personal tokens as a change of their user.',
  async up(db: Kysely<unknown>) {
    await logChanges(db, {
      table: 'personal_tokens',
      topic: 'users',
      keyColumn: 'user_id',
      events: ['delete'],
    })
  },
}
