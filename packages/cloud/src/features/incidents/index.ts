export { createIncidents } from './feature.ts'
export { FILE_MEDIA, fileResponse, sendFile } from './file-response.ts'
export { type IncidentContent, IncidentStore, type SentIncident } from './incident-store.ts'
export { type Incidents, incidentFileKey } from './incidents.ts'
