import type { Logger } from 'pino'
import type { BlobStore } from '../../../blobs/index.ts'
import type { Bus } from '../../../bus/index.ts'
import type { UserStore } from '../../../identity/index.ts'
import type { JobRunStore } from '../../../jobs/index.ts'
import type { ExportSection } from '../../../personal-data.ts'
import type { Clock } from '../../../time/index.ts'
import type { ExportStore } from './export-store.ts'

/** Collaborators of the data exports. */
export interface ExportsDeps {
  readonly store: ExportStore
  readonly blobs: BlobStore
  readonly users: UserStore
  /** Sections of an export, in order. */
  readonly sections: readonly ExportSection[]
  /** Wakes the workers of other nodes. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly runs: JobRunStore
  readonly clock: Clock
  readonly log: Logger
}
