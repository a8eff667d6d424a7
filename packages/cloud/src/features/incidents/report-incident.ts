import { incidentBody, incidentResponse, MAX_PHONE_REPORT_BYTES } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { IncidentEndpointDeps } from './deps.ts'

/** Stores a report; logs and files may follow. Reports are never logged. */
export const reportIncident = ({ incidents }: IncidentEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/incidents',
    summary: 'Report an incident to the operator',
    tags: ['incidents'],
    style: 'bare',
    auth: coreToken,
    schema: { body: incidentBody, response: { 200: incidentResponse } },
    limits: { bodyBytes: MAX_PHONE_REPORT_BYTES.feedback },
    errors: [],
    handler: async ({ caller: { user }, body: { feedback, phoneState } }) => {
      const report = phoneState === undefined ? { feedback } : { feedback, phoneState }
      return { success: true as const, incidentId: await incidents.report(user.id, report) }
    },
  })
