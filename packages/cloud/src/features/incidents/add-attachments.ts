import { attachmentsResponse, incidentParams } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { IncidentEndpointDeps } from './deps.ts'
import { attachmentLimits, readAttachments } from './read-attachments.ts'
import { checkIncident, tags } from './schemas.ts'

/** How long the files may take to arrive, in ms; phones give up after a minute. */
const LONGEST_MS = 90_000

const form = Type.Object({
  files: Type.Array(Type.String({ format: 'binary' }), { description: 'Of 10 MiB each, five in all' }),
})

/** Pictures of the screen, and whatever else shows an incident. One bad file does not keep the others out. */
export const addAttachments = ({ incidents }: IncidentEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/incidents/:incidentId/attachments',
    summary: 'Add files to an incident: a multipart form with each as files',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { params: incidentParams, response: { 200: attachmentsResponse } },
    media: { form },
    limits: { arrivalMs: LONGEST_MS, form: attachmentLimits },
    errors: ['UNSUPPORTED_MEDIA_TYPE', 'INCIDENT_NOT_FOUND', 'INCIDENT_FILES_REQUIRED'],
    invalid: 'INCIDENT_NOT_FOUND',
    handler: async ({ caller: { user }, params: { incidentId }, request }) => {
      await checkIncident(incidents, user, incidentId)
      if (!request.isMultipart()) throw fault('UNSUPPORTED_MEDIA_TYPE')
      const { uploaded, errors } = await readAttachments(request, incidents, user.id, incidentId)
      if (uploaded.length + errors.length === 0) throw fault('INCIDENT_FILES_REQUIRED')
      return { success: true as const, uploaded, errors }
    },
  })
