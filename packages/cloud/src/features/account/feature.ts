import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Bus } from '../../bus/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { UserStore } from '../../identity/index.ts'
import { JobRunStore } from '../../jobs/index.ts'
import { type DeletionStep, type ExportSection, inDeletionOrder } from '../../personal-data.ts'
import type { Clock } from '../../session/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { DeletionStore, Deletions, deleteExports, endSession } from './deletion/index.ts'
import { downloadExport } from './download-export.ts'
import { ExportStore, Exports } from './exports/index.ts'
import { getExportStatus } from './get-export-status.ts'
import { getMe } from './get-me.ts'
import { getPrivacy } from './get-privacy.ts'
import { listExports } from './list-exports.ts'
import { accountSections } from './personal-data.ts'
import { PrivacyStore } from './privacy-store.ts'
import { putPrivacy } from './put-privacy.ts'
import { putProfile } from './put-profile.ts'
import { requestDeletion } from './request-deletion.ts'
import { requestExport } from './request-export.ts'

/** Collaborators of the account feature. */
export interface AccountDeps {
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

/** The account feature, with the export sections and deletion steps of the whole cloud. */
export interface AccountFeature extends Feature {
  readonly exports: Exports
  readonly deletions: Deletions
  /** Sections of all modules, in the order of the export. */
  readonly exportSections: readonly ExportSection[]
  /** Steps of all modules, in the order of the deletion. */
  readonly deletionSteps: readonly DeletionStep[]
}

/** The account: profile, privacy settings, data export and deletion, under `/api/account`. */
export function createAccount(deps: AccountDeps): AccountFeature {
  const { db, blobs, bus, users, sessions, secret, clock, log, contributors } = deps
  const privacy = new PrivacyStore(db)
  const exportStore = new ExportStore(db)
  const exportSections: ExportSection[] = [
    ...accountSections({ users, privacy, exports: exportStore }),
    ...contributors.flatMap((contributor) => contributor.exportSections ?? []),
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
  const endpointDeps = { users, privacy, exports, deletions, now: () => clock.now() }
  return {
    name: 'account',
    exports,
    deletions,
    exportSections,
    deletionSteps,
    endpoints: [
      getMe(),
      putProfile(endpointDeps),
      getPrivacy(endpointDeps),
      putPrivacy(endpointDeps),
      requestExport(endpointDeps),
      listExports(endpointDeps),
      getExportStatus(endpointDeps),
      downloadExport(endpointDeps),
      requestDeletion(endpointDeps),
    ],
    jobs: [exports, deletions],
  }
}
