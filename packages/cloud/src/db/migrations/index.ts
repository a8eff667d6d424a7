import { base } from './0001-base.ts'
import { failedSessions } from './0002-failed-sessions.ts'
import type { Migration } from './migration.ts'

/** Every migration by name, run in the order of their names. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-base': base,
  '0002-failed-sessions': failedSessions,
}
