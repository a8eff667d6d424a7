import { Type } from 'typebox'
import { ownPages } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { AuthEndpointDeps } from './deps.ts'
import { tags } from './schemas.ts'

/** Ends the session of the cookie, with all tokens that belong to it. */
export const signOut = ({ accounts }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-out',
    summary: 'Sign out in this browser',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: { response: { 200: Type.Object({ success: Type.Literal(true) }) } },
    errors: [],
    handler: async ({ request, reply }) => {
      await accounts.call(request, reply, (api, headers) => api.signOut({ headers, returnHeaders: true }))
      return { success: true as const }
    },
  })
