import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'
import { incidentEndpoints } from './endpoints.ts'
import { IncidentStore } from './incident-store.ts'
import { Incidents } from './incidents.ts'

export { FILE_MEDIA, fileResponse, sendFile } from './endpoints.ts'
export { type IncidentContent, IncidentStore, type SentIncident } from './incident-store.ts'
export { type Incidents, incidentFileKey } from './incidents.ts'

export interface IncidentDeps {
  readonly db: Database
  readonly blobs: BlobStore
  readonly log: Logger
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Incidents that users report with logs and files (glasses-socket.md §3.6), under `/api/incidents`. */
export function createIncidents({
  db,
  blobs,
  log,
  publicUrl,
  now,
}: IncidentDeps): Feature & { readonly incidents: Incidents } {
  const incidents = new Incidents({ store: new IncidentStore(db), blobs, log, now })
  return {
    name: 'incidents',
    incidents,
    endpoints: incidentEndpoints({ incidents }),
    exportSections: [incidentExport(incidents, publicUrl)],
    deletionSteps: [deleteIncidents(incidents)],
  }
}

/**
 * Exports incidents with their logs and the metadata of their files; in JSON also the requests that return the files.
 * @param publicUrl base URL of the cloud for clients
 */
function incidentExport(incidents: Incidents, publicUrl: () => URL): ExportSection {
  return {
    name: 'incidents',
    tables: ['incidents', 'incident_logs', 'incident_files'],
    async *facts({ id: userId }, format) {
      const base = baseUrlOf(publicUrl())
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
function deleteIncidents(incidents: Incidents): DeletionStep {
  return { name: 'incidents', phase: 'content', run: ({ id }) => incidents.deleteByUser(id) }
}
