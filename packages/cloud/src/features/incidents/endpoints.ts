import {
  attachmentParams,
  attachmentsResponse,
  INCIDENT_LIMITS,
  incidentBody,
  incidentLogs,
  incidentLogsResponse,
  incidentParams,
  incidentResponse,
  MAX_PHONE_REPORT_BYTES,
} from '@glasses-cloud/contract'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { User } from '../../identity/index.ts'
import type { Incidents, OpenedFile } from './incidents.ts'
import { ATTACHMENT_FORM_LIMITS, readAttachments } from './read-attachments.ts'

export interface IncidentEndpointDeps {
  readonly incidents: Incidents
}

/** Time limit of the upload; phones time out after one minute. */
const MAX_ARRIVAL_MS = 90_000

const form = Type.Object({
  files: Type.Array(Type.String({ format: 'binary' }), { description: 'At most five files of 10 MiB each' }),
})

/** Schema of the response with a file of an incident. */
export const fileResponse = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

/** Media type of every file, whichever the phone sent. */
export const FILE_MEDIA = { contentTypes: ['application/octet-stream'] }

const common = { tags: ['incidents'], auth: coreToken } as const

export const incidentEndpoints = ({ incidents }: IncidentEndpointDeps): Endpoint[] => [
  // Stores a report; logs and files may follow. Reports are never logged.
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/incidents',
    summary: 'Report an incident to the operator',
    style: 'bare',
    schema: { body: incidentBody, response: { 200: incidentResponse } },
    limits: { bodyBytes: MAX_PHONE_REPORT_BYTES.feedback },
    errors: [],
    handler: async ({ caller: { user }, body: { feedback, phoneState } }) => {
      const report = phoneState === undefined ? { feedback } : { feedback, phoneState }
      return { success: true as const, incidentId: await incidents.report(user.id, report) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/incidents/:incidentId/logs',
    summary: 'Add logs to an incident',
    style: 'bare',
    schema: { params: incidentParams, body: incidentLogs, response: { 200: incidentLogsResponse } },
    limits: { bodyBytes: INCIDENT_LIMITS.logBytes },
    errors: ['INCIDENT_NOT_FOUND', 'INCIDENT_LOGS_FULL'],
    invalid: ({ part }) => (part === 'params' ? 'INCIDENT_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user }, params: { incidentId }, body }) => {
      await checkIncident(incidents, user, incidentId)
      if (!(await incidents.addLogs(incidentId, body))) throw fault('INCIDENT_LOGS_FULL')
      return { success: true as const }
    },
  }),
  // Adds files, such as screenshots, to an incident. Files that are rejected do not affect the others.
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/incidents/:incidentId/attachments',
    summary: 'Add files to an incident: a multipart form with each in a field files',
    style: 'bare',
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
  }),
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/incidents/:incidentId/attachments/:attachmentId',
    summary: 'Get a file of an incident',
    style: 'coded',
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
  }),
]

/**
 * Checks that the user reported the incident.
 * @throws Fault `INCIDENT_NOT_FOUND`, also for an incident of another user
 */
async function checkIncident(incidents: Incidents, user: User, incidentId: string): Promise<void> {
  // PostgreSQL rejects strings with U+0000.
  if (/\p{Cc}/u.test(incidentId) || !(await incidents.has(user.id, incidentId)))
    throw fault('INCIDENT_NOT_FOUND')
}

/** Sends a file of an incident as an attachment that browsers do not render. */
export function sendFile(reply: FastifyReply, { filename, size, stream }: OpenedFile): FastifyReply {
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
      'cache-control': 'private, no-cache',
    })
    .send(stream)
}
