import { exportRequest, exportRequestResponse } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PersonalDataEndpointDeps } from './deps.ts'
import { tags } from './schemas.ts'

/** Requests an export of everything stored about the user (decisions A3 and A4). */
export const requestExport = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/request-export',
    summary: 'Request a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { body: exportRequest, response: { 200: exportRequestResponse } },
    errors: ['TOO_MANY_EXPORTS'],
    handler: async ({ caller, body, reply }) => {
      const created = await exports.request(caller.user.id, body.format ?? 'json')
      if (created === undefined) {
        void reply.header('retry-after', Math.ceil((await exports.retryAfterMs(caller.user.id)) / 1000))
        throw fault('TOO_MANY_EXPORTS')
      }
      const { id, status } = created
      return { id, status, message: 'The export is in progress; it can be downloaded once it is completed' }
    },
  })
