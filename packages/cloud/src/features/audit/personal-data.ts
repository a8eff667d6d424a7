import { fromJson } from '../../db/index.ts'
import { type DeletionStep, type ExportSection, inPages } from '../../personal-data.ts'
import type { AuditStore } from './audit-store.ts'

/** Exports what the user did as an administrator, without the other users, and what administrators did to the user. */
export function auditExport(store: AuditStore): ExportSection {
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
export function auditDeletion(store: AuditStore): DeletionStep {
  return {
    name: 'audit-log',
    phase: 'late-sessions',
    tables: ['audit_log'],
    run: (user) => store.forget(user),
  }
}
