import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PersonalDataEndpointDeps } from './deps.ts'
import { findOwnExport } from './find-own-export.ts'
import { tags } from './schemas.ts'

/** Returns the file of a completed export as an attachment (decision A4). */
export const downloadExport = ({ exports }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/account/download-export/:id',
    summary: 'Download a data export',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String() }),
      response: { 200: Type.String({ format: 'binary', description: 'JSON or CSV, as requested' }) },
    },
    media: { contentTypes: ['application/json', 'text/csv'] },
    errors: ['EXPORT_NOT_READY', 'EXPORT_NOT_OWNED', 'EXPORT_NOT_FOUND', 'EXPORT_FILE_NOT_FOUND'],
    handler: async ({ caller, params, reply }) => {
      const found = await findOwnExport(exports, params.id, caller.user, 'EXPORT_NOT_FOUND')
      const { id, format, status } = found
      if (status !== 'completed') throw fault('EXPORT_NOT_READY')
      const file = await exports.open(found)
      if (file === undefined) throw fault('EXPORT_FILE_NOT_FOUND')
      return reply
        .headers({
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          'content-length': file.size,
          'content-disposition': `attachment; filename="${id}.${format}"`,
        })
        .send(file.stream)
    },
  })
