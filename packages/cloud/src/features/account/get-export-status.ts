import { dataExport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { AccountEndpointDeps } from './deps.ts'
import { exportView } from './export-view.ts'
import { ownExport } from './own-export.ts'
import { tags } from './schemas.ts'

/** Where a data export of the user's stands. */
export const getExportStatus = ({ exports }: AccountEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/export-status',
    summary: 'Where a data export stands',
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
      exportView(await ownExport(exports, query.id, caller.user, 'EXPORT_REQUEST_NOT_FOUND')),
  })
