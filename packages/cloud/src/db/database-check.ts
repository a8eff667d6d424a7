import { type Database, pingDatabase } from './database.ts'

/** Checks that the database answers, for `GET /readyz` and `doctor`. */
export function databaseCheck(db: Database) {
  return {
    name: 'database',
    async run(): Promise<undefined> {
      await pingDatabase(db)
    },
  }
}
