import { addLogs } from './add-logs.ts'
import { getAttachment } from './get-attachment.ts'
import { reportIncident } from './report-incident.ts'

export { IncidentStore } from './incident-store.ts'
export { Incidents, incidentFileKey } from './incidents.ts'
export { mountAttachments } from './mount-attachments.ts'
export { incidentExport, removeIncidents } from './personal-data.ts'

/** What users report with logs and files (glasses socket protocol, 3.6); the files come with `mountAttachments`. */
export const incidentEndpoints = [reportIncident, addLogs, getAttachment]
