import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../../../http/auth/index.ts'
import { endpoint } from '../../../../http/endpoint.ts'
import { fault } from '../../../../http/fault.ts'
import type { PersonalTokens } from '../../../../identity/index.ts'

/** Revokes one of the caller's personal access tokens; it is rejected from the next request on. */
export const revokePersonalToken = ({ personalTokens }: { readonly personalTokens: PersonalTokens }) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/tokens/:id',
    summary: 'Revoke a personal access token',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: Type.Object({ success: Type.Literal(true) }) },
    },
    errors: ['PERSONAL_TOKEN_NOT_FOUND'],
    handler: async ({ caller, params }) => {
      if (!(await personalTokens.remove(caller.user.id, params.id))) throw fault('PERSONAL_TOKEN_NOT_FOUND')
      return { success: true as const }
    },
  })
