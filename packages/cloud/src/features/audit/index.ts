import { AUDIT_ACTIONS, auditEntry } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import { type Database, fromJson } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { administrator } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import { createSweepJob, JobRunStore } from '../../jobs/index.ts'
import { type DeletionStep, type ExportSection, inPages } from '../../personal-data.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import { Audit } from './audit.ts'
import { AuditStore } from './audit-store.ts'

export { type ActOptions, type Audit, recordOperatorAct } from './audit.ts'
export { AuditStore } from './audit-store.ts'

const auditEndpoints = ({ store }: { readonly store: AuditStore }): Endpoint[] => [
  endpoint({
    method: 'GET',
    url: '/api/admin/audit',
    summary: 'List the acts of administrators, newest first',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    audited: [],
    schema: {
      querystring: Type.Object({ action: Type.Optional(Type.Enum([...AUDIT_ACTIONS])), ...pageQuery }),
      response: { 200: dataResponse(Type.Array(auditEntry)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const entries = await store.list(withLookahead(page), query.action)
      const visible = toPage(entries, page, ({ id }) => id, { request, reply })
      const data = visible.map(({ at, actor, details, ...entry }) => {
        return { ...entry, at: toIsoString(at), details: { ...details }, ...(actor !== null && { actor }) }
      })
      return { success: true as const, data }
    },
  }),
]

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

/** Exports what the user did as an administrator, without the other users, and what administrators did to the user. */
function auditExport(store: AuditStore): ExportSection {
  return {
    name: 'auditLog',
    tables: ['audit_log'],
    async *facts({ id: userId }) {
      const rows = inPages(
        (after, limit) => store.listAbout(userId, { after, limit }),
        ({ id }) => id,
      )
      for await (const { id, at, actor_id, action, details, address, outcome } of rows) {
        const side = actor_id === userId ? { address } : { details: fromJson(details) }
        yield { key: id, value: { action, outcome, ...side }, updatedAt: at }
      }
    },
  }
}

/** Makes the entries of a deleted user pseudonymous. */
function auditDeletion(store: AuditStore): DeletionStep {
  return {
    name: 'audit-log',
    phase: 'late-sessions',
    tables: ['audit_log'],
    run: (user) => store.forget(user),
  }
}
