import type { Logger } from 'pino'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { createSweepJob, JobRunStore } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { Audit } from './audit.ts'
import { AuditStore } from './audit-store.ts'
import { auditEndpoints } from './endpoints.ts'
import { auditDeletion, auditExport } from './personal-data.ts'

export { type ActOptions, type Audit, recordOperatorAct } from './audit.ts'
export { AuditStore } from './audit-store.ts'

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

const SWEEP_CHECK_INTERVAL_MS = 60 * 60 * 1000

export interface AuditDeps {
  readonly db: Database
  /** Key of the pseudonyms of deleted users. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** The record of what administrators did, with `GET /api/admin/audit`. */
export function createAudit(deps: AuditDeps): Feature & { readonly audit: Audit } {
  const { db, secret, now } = deps
  const store = new AuditStore(db, secret)
  return {
    name: 'audit',
    audit: new Audit(db, store, now),
    endpoints: auditEndpoints({ store }),
    exportSections: [auditExport(store)],
    deletionSteps: [auditDeletion(store)],
    jobs: [
      createSweepJob({
        ...deps,
        name: 'audit-pseudonyms',
        everyMs: SWEEP_INTERVAL_MS,
        checkEveryMs: SWEEP_CHECK_INTERVAL_MS,
        sweep: () => store.forgetUnknown(),
        runs: new JobRunStore(db),
      }),
    ],
  }
}
