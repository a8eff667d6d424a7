import type { Finding } from '@glasses-cloud/contract'
import { BackupStateStore } from '../backup/index.ts'
import type { Config } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { failure, note, ok } from './finding.ts'

const PART = 'backup'

/** Backups that are older than this many intervals are late. */
const LATE_AFTER_INTERVALS = 2

const HOUR_MS = 60 * 60_000

/** Checks age and size of the last verified backup, and reports the last failure. */
export async function checkBackup({ backup, data }: Config): Promise<Finding[]> {
  const { everyMs, to } = backup
  if (everyMs === undefined || to === undefined)
    return [note(PART, 'no backups are scheduled; set BACKUP_TO and BACKUP_AT')]
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir }).catch(() => undefined)
  // The check of the database reports why.
  if (db === undefined) return []
  try {
    const { lastGood, unprotectedSince, failure: failed } = await new BackupStateStore(db).read()
    const age = unprotectedSince === undefined ? 0 : Date.now() - unprotectedSince
    const isLate = age > LATE_AFTER_INTERVALS * everyMs
    const text =
      lastGood === undefined
        ? 'there is no verified backup yet'
        : `verified ${formatAge(age)} ago, ${Math.ceil(lastGood.bytes / 1024 / 1024)} MiB in ${lastGood.place} (${lastGood.id})`
    if (failed)
      return [
        failure(PART, `the last one failed at ${new Date(failed.at).toISOString()}: ${failed.text}; ${text}`),
      ]
    if (isLate) return [failure(PART, `late: ${text}`)]
    return [lastGood === undefined ? note(PART, text) : ok(PART, text)]
  } finally {
    await db.destroy()
  }
}

function formatAge(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
