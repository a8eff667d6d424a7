export { createIncidents } from './feature.ts'
export { type IncidentContent, IncidentStore, type SentIncident } from './incident-store.ts'
export { incidentFileKey } from './incidents.ts'
