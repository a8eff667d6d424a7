import type { DataExport } from '@glasses-cloud/contract'
import type { StoredExport } from './exports/index.ts'

/** Returns a data export as the REST API shows it. */
export function toDataExport({ id, status, format, createdAt, endedAt }: StoredExport): DataExport {
  const common = { id, status, format, createdAt: new Date(createdAt).toISOString() }
  if (status !== 'completed' || endedAt === null) return common
  return {
    ...common,
    completedAt: new Date(endedAt).toISOString(),
    downloadUrl: `/api/account/download-export/${id}`,
  }
}
