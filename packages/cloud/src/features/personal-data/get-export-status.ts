import { dataExport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PersonalDataEndpointDeps } from './deps.ts'
import { toDataExport } from './export-view.ts'
import { findOwnExport } from './find-own-export.ts'
import { tags } from './schemas.ts'

/** Returns the status of one of the user's data exports. */
export const getExportStatus = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/export-status',
    summary: 'Get the status of a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      querystring: Type.Object({ id: Type.String({ minLength: 1 }) }),
      response: { 200: dataExport },
    },
    errors: ['EXPORT_ID_REQUIRED', 'EXPORT_NOT_OWNED', 'EXPORT_REQUEST_NOT_FOUND'],
    invalid: 'EXPORT_ID_REQUIRED',
    handler: async ({ caller, query }) =>
      toDataExport(await findOwnExport(exports, query.id, caller.user, 'EXPORT_REQUEST_NOT_FOUND')),
  })
