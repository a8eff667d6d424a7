import { isFromForeignPage } from '../request-origin.ts'
import type { AnonymousCaller } from './caller.ts'
import { type AuthScheme, accepted, rejected } from './scheme.ts'

/**
 * No authentication, but requests that a browser sends for a page of another site are rejected, so that no page can sign
 * its visitors in or out.
 */
export const ownPages: AuthScheme<AnonymousCaller> = {
  name: 'ownPages',
  security: [],
  errors: ['CROSS_SITE_REQUEST'],
  authenticate: async (request, deps) =>
    isFromForeignPage(request, deps) ? rejected('CROSS_SITE_REQUEST') : accepted({ kind: 'anonymous' }),
}
