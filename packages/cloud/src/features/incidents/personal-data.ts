import type { DeletionStep, ExportSection } from '../../personal-data.ts'
import type { Incidents } from './incidents.ts'

/**
 * Incidents in a data export: what was reported, the logs, what is known of each file, and in the JSON form where to
 * fetch it (decision A3).
 * @param publicUrl where clients reach the cloud
 */
export function incidentExport(incidents: Incidents, publicUrl: () => URL): ExportSection {
  return {
    name: 'incidents',
    tables: ['incidents', 'incident_logs', 'incident_files'],
    async *facts({ id: userId }, format) {
      const base = publicUrl().href.replace(/\/+$/, '')
      for await (const { id: key, createdAt, files, ...said } of incidents.allOf(userId)) {
        const attachments = files.map(({ id, ...facts }) => {
          const file = { method: 'GET', url: `${base}/api/incidents/${key}/attachments/${id}` }
          return format === 'json' ? { ...facts, file } : facts
        })
        yield { key, value: { ...said, attachments }, updatedAt: createdAt }
      }
    },
  }
}

/** Deletes the incidents of a deleted account, and their files. */
export function deleteIncidents(incidents: Incidents): DeletionStep {
  return { name: 'incidents', phase: 'content', run: ({ id }) => incidents.removeAllOf(id) }
}
