import type { Migration } from 'kysely/migration'
import { initial } from './0001-initial.ts'
import { account } from './0002-account.ts'
import { gallery } from './0003-gallery.ts'
import { simpleStorage } from './0004-simple-storage.ts'
import { phone } from './0005-phone.ts'
import { incidents } from './0006-incidents.ts'
import { changeLog } from './0007-change-log.ts'
import { photoDeliveries } from './0008-photo-deliveries.ts'
import { galleryUsage } from './0009-gallery-usage.ts'
import { dropSearchColumns } from './0010-drop-search-columns.ts'
import { jobRuns } from './0011-job-runs.ts'

/** Every migration by name, run in the order of their names. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-account': account,
  '0003-gallery': gallery,
  '0004-simple-storage': simpleStorage,
  '0005-phone': phone,
  '0006-incidents': incidents,
  '0007-change-log': changeLog,
  '0008-photo-deliveries': photoDeliveries,
  '0009-gallery-usage': galleryUsage,
  '0010-drop-search-columns': dropSearchColumns,
  '0011-job-runs': jobRuns,
}
