import type { AnonymousCaller } from './caller.ts'
import { type AuthScheme, accepted } from './scheme.ts'

/** Open to everybody; credentials are not looked at. */
export const none: AuthScheme<AnonymousCaller> = {
  name: 'none',
  security: [],
  errors: [],
  authenticate: async () => accepted({ kind: 'anonymous' }),
}
