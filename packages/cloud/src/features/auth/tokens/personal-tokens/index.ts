import type { Endpoint } from '../../../../http/endpoint.ts'
import type { PersonalTokens } from '../../../../identity/index.ts'
import { createPersonalToken } from './create-personal-token.ts'
import { listPersonalTokens } from './list-personal-tokens.ts'
import { revokePersonalToken } from './revoke-personal-token.ts'

/** Personal access tokens, at `/api/auth/tokens`. */
export function personalTokenEndpoints(deps: {
  readonly personalTokens: PersonalTokens
  readonly now: () => number
}): Endpoint[] {
  return [createPersonalToken(deps), listPersonalTokens(deps), revokePersonalToken(deps)]
}
