import { createValidator } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'
import type { AppTokens } from '../identity/index.ts'
import type { AppIdentity } from './app-admission.ts'

const signedKeyValidator = createValidator(
  Type.Object({
    packageName: Type.String({ minLength: 1, maxLength: 200 }),
    apiKey: Type.String({ minLength: 1, maxLength: 500 }),
  }),
)

/**
 * Creates a reader of the JWT in the `Authorization` header of an app socket: an app token, or one with the claims
 * `packageName` and `apiKey` that the operator signed with `AUTH_SECRET` for an older client (app-socket.md §1.3). The
 * API key must be verified separately.
 */
export function appTokenReader(
  tokens: Pick<AppTokens, 'read'>,
  secrets: readonly string[],
): (token: string) => AppIdentity | undefined {
  const verifiers = secrets.map((key) =>
    createVerifier({ key, algorithms: ['HS256'], clockTolerance: 60_000 }),
  )
  return (token) => {
    const own = tokens.read(token)
    if (own !== undefined) return own
    for (const verify of verifiers) {
      try {
        const claims: unknown = verify(token)
        if (!signedKeyValidator.Check(claims)) return undefined
        return { packageName: claims.packageName, apiKey: claims.apiKey }
      } catch {}
    }
    return undefined
  }
}
