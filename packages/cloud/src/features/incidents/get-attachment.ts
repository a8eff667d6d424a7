import { attachmentParams } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { IncidentEndpointDeps } from './deps.ts'
import { FILE_MEDIA, fileResponse, sendFile } from './file-response.ts'
import { checkIncident } from './schemas.ts'

/** Returns a file of an incident to its reporter, as an attachment that browsers do not render. */
export const getAttachment = ({ incidents }: IncidentEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/incidents/:incidentId/attachments/:attachmentId',
    summary: 'Get a file of an incident',
    tags: ['incidents'],
    style: 'coded',
    auth: coreToken,
    schema: {
      params: attachmentParams,
      response: { 200: fileResponse },
    },
    media: FILE_MEDIA,
    errors: ['INCIDENT_NOT_FOUND'],
    invalid: 'INCIDENT_NOT_FOUND',
    handler: async ({ caller: { user }, params: { incidentId, attachmentId }, reply }) => {
      await checkIncident(incidents, user, incidentId)
      const file = await incidents.open(user.id, incidentId, attachmentId)
      if (file === undefined) throw fault('INCIDENT_NOT_FOUND')
      return sendFile(reply, file)
    },
  })
