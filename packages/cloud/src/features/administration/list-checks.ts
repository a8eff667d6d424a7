import { type Finding, finding } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'

/** Checks every configured part of the cloud. Simultaneous requests share one run. */
export const listChecks = ({ checks }: AdministrationEndpointDeps) => {
  let running: Promise<Finding[]> | undefined
  return endpoint({
    method: 'GET',
    url: '/api/admin/checks',
    summary: 'Check every configured part, as the command doctor does',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: { response: { 200: dataResponse(Type.Array(finding)) } },
    errors: [],
    handler: async () => {
      running ??= checks().finally(() => {
        running = undefined
      })
      return { success: true as const, data: await running }
    },
  })
}
