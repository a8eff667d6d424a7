import { attachmentsResponse, incidentParams } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { IncidentEndpointDeps } from './deps.ts'
import { ATTACHMENT_FORM_LIMITS, readAttachments } from './read-attachments.ts'
import { checkIncident } from './schemas.ts'

/** Time limit of the upload; phones time out after one minute. */
const MAX_ARRIVAL_MS = 90_000

const form = Type.Object({
  files: Type.Array(Type.String({ format: 'binary' }), { description: 'At most five files of 10 MiB each' }),
})

/** Adds files, such as screenshots, to an incident. Files that are rejected do not affect the others. */
export const addAttachments = ({ incidents }: IncidentEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/incidents/:incidentId/attachments',
    summary: 'Add files to an incident: a multipart form with each in a field files',
    tags: ['incidents'],
    style: 'bare',
    auth: coreToken,
    schema: { params: incidentParams, response: { 200: attachmentsResponse } },
    media: { form },
    limits: { arrivalMs: MAX_ARRIVAL_MS, form: ATTACHMENT_FORM_LIMITS },
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
