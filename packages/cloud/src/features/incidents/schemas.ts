import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { Incidents } from './incidents.ts'

/** What every endpoint of incidents is filed under. */
export const tags = ['incidents']

/**
 * Sees to it that an incident is the user's own.
 * @throws Fault otherwise, which does not tell whether it is somebody else's
 */
export async function checkIncident(incidents: Incidents, user: User, incidentId: string): Promise<void> {
  // No id holds a control character, and not every database takes the question.
  if (/\p{Cc}/u.test(incidentId) || !(await incidents.has(user.id, incidentId)))
    throw fault('INCIDENT_NOT_FOUND')
}
