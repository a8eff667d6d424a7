import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { Incidents } from './incidents.ts'

/**
 * Checks that the user reported the incident.
 * @throws Fault `INCIDENT_NOT_FOUND`, also for an incident of another user
 */
export async function checkIncident(incidents: Incidents, user: User, incidentId: string): Promise<void> {
  // PostgreSQL rejects strings with U+0000.
  if (/\p{Cc}/u.test(incidentId) || !(await incidents.has(user.id, incidentId)))
    throw fault('INCIDENT_NOT_FOUND')
}
