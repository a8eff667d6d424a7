import type { DeletionStep, ExportSection } from '../../personal-data.ts'
import type { Incidents } from './incidents.ts'

/**
 * Exports incidents with their logs and the metadata of their files; in JSON also the requests that return the files.
 * @param publicUrl base URL of the cloud for clients
 */
export function incidentExport(incidents: Incidents, publicUrl: () => URL): ExportSection {
  return {
    name: 'incidents',
    tables: ['incidents', 'incident_logs', 'incident_files'],
    async *facts({ id: userId }, format) {
      const base = publicUrl().href.replace(/\/+$/, '')
      for await (const { id: key, createdAt, files, ...report } of incidents.listByUser(userId)) {
        const attachments = files.map(({ id, ...facts }) => {
          const file = { method: 'GET', url: `${base}/api/incidents/${key}/attachments/${id}` }
          return format === 'json' ? { ...facts, file } : facts
        })
        yield { key, value: { ...report, attachments }, updatedAt: createdAt }
      }
    },
  }
}

/** Deletes the user's incidents and their files. */
export function deleteIncidents(incidents: Incidents): DeletionStep {
  return { name: 'incidents', phase: 'content', run: ({ id }) => incidents.deleteByUser(id) }
}
