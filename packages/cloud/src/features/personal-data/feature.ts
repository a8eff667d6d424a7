import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Bus } from '../../bus/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import { JobRunStore } from '../../jobs/index.ts'
import { type DeletionStep, type ExportSection, inDeletionOrder } from '../../personal-data.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Clock } from '../../time/index.ts'
import { DeletionStore, Deletions, deleteExports, endSession } from './deletion/index.ts'
import { downloadExport } from './download-export.ts'
import { ExportStore, Exports } from './exports/index.ts'
import { getExportStatus } from './get-export-status.ts'
import { listExports } from './list-exports.ts'
import { requestDeletion } from './request-deletion.ts'
import { requestExport } from './request-export.ts'

export interface PersonalDataDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly bus: Bus
  readonly users: UserStore
  readonly sessions: SessionDirectory
  /** Key of the e-mail hash that is stored for a deleted user. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
  /** The other features that store data of users. */
  readonly contributors: readonly Partial<Feature>[]
}

/** The export sections and deletion steps of the whole cloud. */
export interface PersonalDataFeature extends Feature {
  readonly exports: Exports
  readonly deletions: Deletions
  /** Sections of all modules, in the order of the export. */
  readonly exportSections: readonly ExportSection[]
  /** Steps of all modules, in the order of the deletion. */
  readonly deletionSteps: readonly DeletionStep[]
}

/** Export and deletion of everything stored about a user, under `/api/account`. */
export function createPersonalData(deps: PersonalDataDeps): PersonalDataFeature {
  const { db, blobs, bus, users, sessions, secret, clock, log, contributors } = deps
  const exportStore = new ExportStore(db)
  const exportSections: ExportSection[] = [
    ...contributors.flatMap((contributor) => contributor.exportSections ?? []),
    earlierExports(exportStore),
  ]
  const exports = new Exports({
    store: exportStore,
    blobs,
    bus,
    users,
    sections: exportSections,
    runs: new JobRunStore(db),
    clock,
    log,
  })
  const deletionSteps: DeletionStep[] = inDeletionOrder([
    endSession(sessions, 'sessions'),
    deleteExports(exports),
    ...contributors.flatMap((contributor) => contributor.deletionSteps ?? []),
    endSession(sessions, 'late-sessions'),
  ])
  const store = new DeletionStore(db)
  const deletions = new Deletions({ store, users, steps: deletionSteps, secret, clock, log })
  const endpointDeps = { exports, deletions }
  return {
    name: 'personal-data',
    exports,
    deletions,
    exportSections,
    deletionSteps,
    endpoints: [
      requestExport(endpointDeps),
      listExports(endpointDeps),
      getExportStatus(endpointDeps),
      downloadExport(endpointDeps),
      requestDeletion(endpointDeps),
    ],
    jobs: [exports, deletions],
  }
}

/** Exports the list of the user's earlier exports. */
function earlierExports(exports: ExportStore): ExportSection {
  return {
    name: 'exports',
    tables: ['exports'],
    async *facts({ id: userId }) {
      for (const { id: key, status, format, createdAt, endedAt } of await exports.listByUser(userId)) {
        const value = { status, format, createdAt: new Date(createdAt).toISOString() }
        yield { key, value, updatedAt: endedAt ?? createdAt }
      }
    },
  }
}
