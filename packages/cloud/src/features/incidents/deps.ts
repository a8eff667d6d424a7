import type { Incidents } from './incidents.ts'

/** Collaborators of the endpoints of this feature. */
export interface IncidentEndpointDeps {
  readonly incidents: Incidents
}
