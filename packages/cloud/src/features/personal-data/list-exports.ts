import { dataExport } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PersonalDataEndpointDeps } from './deps.ts'
import { toDataExport } from './export-view.ts'
import { tags } from './schemas.ts'

/** Lists the data exports of the user that can still be downloaded or are in progress. */
export const listExports = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/exports',
    summary: 'List your data exports, the newest first',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: Type.Object({ exports: Type.Array(dataExport) }) } },
    errors: [],
    handler: async ({ caller }) => ({
      exports: (await exports.list(caller.user.id)).map(toDataExport),
    }),
  })
