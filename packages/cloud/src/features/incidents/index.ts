export { createIncidents } from './feature.ts'
export { IncidentStore } from './incident-store.ts'
export { incidentFileKey } from './incidents.ts'
