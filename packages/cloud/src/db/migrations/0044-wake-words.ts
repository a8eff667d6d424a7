import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const wakeWords: Migration = {
  summary: 'Adds to apps the phrases for which they listen.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('apps')
      .addColumn('wake_words', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
  },
}
