import type { DataExport } from '@glasses-cloud/contract'
import type { StoredExport } from './exports/index.ts'

/** A data export as its owner sees it. */
export function exportView({ id, status, format, createdAt, endedAt }: StoredExport): DataExport {
  const common = { id, status, format, createdAt: new Date(createdAt).toISOString() }
  if (status !== 'completed' || endedAt === null) return common
  return {
    ...common,
    completedAt: new Date(endedAt).toISOString(),
    downloadUrl: `/api/account/download-export/${id}`,
  }
}
