import type { AnonymousCaller } from './caller.ts'
import { type AuthScheme, accepted } from './scheme.ts'

/** No authentication; credentials are ignored. */
export const none: AuthScheme<AnonymousCaller> = {
  name: 'none',
  security: [],
  errors: [],
  authenticate: async () => accepted({ kind: 'anonymous' }),
}
