import { SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { FILE_MEDIA, fileResponse, sendFile } from '../incidents/index.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

const id = Type.String({ pattern: SHORT_LINE_PATTERN })

/** Returns a file of an incident, as an attachment that browsers do not render. */
export const getIncidentFile = ({ incidentFiles }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/incidents/:incidentId/attachments/:attachmentId',
    summary: 'Get a file of an incident',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      params: Type.Object({ incidentId: id, attachmentId: id }),
      response: { 200: fileResponse },
    },
    media: FILE_MEDIA,
    errors: ['INCIDENT_NOT_FOUND'],
    invalid: 'INCIDENT_NOT_FOUND',
    handler: async ({ params: { incidentId, attachmentId }, reply }) => {
      const file = await incidentFiles.openForAdministrator(incidentId, attachmentId)
      if (file === undefined) throw fault('INCIDENT_NOT_FOUND')
      return sendFile(reply, file)
    },
  })
