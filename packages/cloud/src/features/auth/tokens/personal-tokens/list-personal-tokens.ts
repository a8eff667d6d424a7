import { Type } from 'typebox'
import { coreToken } from '../../../../http/auth/index.ts'
import { endpoint } from '../../../../http/endpoint.ts'
import type { PersonalTokens } from '../../../../identity/index.ts'
import { personalTokenView, toPersonalTokenView } from './schemas.ts'

/** Lists the personal access tokens of the caller, newest first, without their secrets. */
export const listPersonalTokens = ({ personalTokens }: { readonly personalTokens: PersonalTokens }) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/tokens',
    summary: 'List your personal access tokens',
    tags: ['auth'],
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: Type.Object({ tokens: Type.Array(personalTokenView) }) } },
    errors: [],
    handler: async ({ caller }) => ({
      tokens: (await personalTokens.list(caller.user.id)).map(toPersonalTokenView),
    }),
  })
