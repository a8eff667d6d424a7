import { closeFrames } from '@glasses-cloud/contract'
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
import { DeletionStore } from './deletion/deletion-store.ts'
import { Deletions } from './deletion/deletions.ts'
import { type PersonalDataEndpointDeps, personalDataEndpoints } from './endpoints.ts'
import { ExportStore } from './exports/export-store.ts'
import { Exports } from './exports/exports.ts'

export { DeletionStore, Deletions, ExportStore, Exports }

export interface PersonalDataDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly bus: Bus
  readonly users: UserStore
  readonly sessions: SessionDirectory
  readonly browserLogins: PersonalDataEndpointDeps['browserLogins']
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
  /** Sections of all features, in the order of the export. */
  readonly exportSections: readonly ExportSection[]
  /** Steps of all features, in the order of the deletion. */
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
    { name: 'exports', phase: 'content', run: ({ id }) => exports.deleteByUser(id) },
    ...contributors.flatMap((contributor) => contributor.deletionSteps ?? []),
    endSession(sessions, 'late-sessions'),
  ])
  const store = new DeletionStore(db)
  const deletions = new Deletions({ store, users, steps: deletionSteps, secret, clock, log })
  return {
    name: 'personal-data',
    exports,
    deletions,
    exportSections,
    deletionSteps,
    endpoints: personalDataEndpoints({ exports, deletions, browserLogins: deps.browserLogins }),
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

/** Ends the user's session on the node that hosts it. Glasses and apps are notified and disconnected. */
function endSession(sessions: SessionDirectory, phase: 'sessions' | 'late-sessions'): DeletionStep {
  return {
    name: phase,
    phase,
    async run({ id: userId }) {
      const session = await sessions.find(userId)
      await session?.end(closeFrames.ACCOUNT_DELETED)
    },
  }
}
