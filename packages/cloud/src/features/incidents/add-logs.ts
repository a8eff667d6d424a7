import { INCIDENT_LIMITS, incidentLogs, incidentLogsResponse, incidentParams } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { IncidentEndpointDeps } from './deps.ts'
import { checkIncident } from './schemas.ts'

/** Adds logs of the phone to an incident. */
export const addLogs = ({ incidents }: IncidentEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/incidents/:incidentId/logs',
    summary: 'Add logs to an incident',
    tags: ['incidents'],
    style: 'bare',
    auth: coreToken,
    schema: { params: incidentParams, body: incidentLogs, response: { 200: incidentLogsResponse } },
    limits: { bodyBytes: INCIDENT_LIMITS.logBytes },
    errors: ['INCIDENT_NOT_FOUND', 'INCIDENT_LOGS_FULL'],
    invalid: ({ part }) => (part === 'params' ? 'INCIDENT_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params: { incidentId }, body }) => {
      await checkIncident(incidents, user, incidentId)
      if (!(await incidents.addLogs(incidentId, body))) throw fault('INCIDENT_LOGS_FULL')
      return { success: true as const }
    },
  })
