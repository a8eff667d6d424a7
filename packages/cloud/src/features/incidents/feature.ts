import type { Logger } from 'pino'
import type { BlobStore } from '../../blobs/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { addAttachments } from './add-attachments.ts'
import { addLogs } from './add-logs.ts'
import { getAttachment } from './get-attachment.ts'
import { IncidentStore } from './incident-store.ts'
import { Incidents } from './incidents.ts'
import { deleteIncidents, incidentExport } from './personal-data.ts'
import { reportIncident } from './report-incident.ts'

/** Collaborators of the incidents feature. */
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
  const endpointDeps = { incidents }
  return {
    name: 'incidents',
    incidents,
    endpoints: [
      reportIncident(endpointDeps),
      addLogs(endpointDeps),
      getAttachment(endpointDeps),
      addAttachments(endpointDeps),
    ],
    exportSections: [incidentExport(incidents, publicUrl)],
    deletionSteps: [deleteIncidents(incidents)],
  }
}
