import { deletionRequest } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PersonalDataEndpointDeps } from './deps.ts'
import { tags } from './schemas.ts'

/** Deletes the account and returns once everything is deleted (decision A5). The reason is not stored. */
export const requestDeletion = ({ deletions }: PersonalDataEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/account/request-deletion',
    summary: 'Delete the account',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: {
      body: deletionRequest,
      response: { 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) },
    },
    errors: ['ACCOUNT_NOT_DELETED'],
    failure: 'ACCOUNT_NOT_DELETED',
    handler: async ({ caller: { user } }) => {
      await deletions.delete(user)
      return { success: true as const, message: 'The account and all its data were deleted' }
    },
  })
