import { createValidator } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'

/** The claims of an app token. */
export interface AppToken {
  readonly packageName: string
  readonly apiKey: string
}

const claimsValidator = createValidator(
  Type.Object({
    packageName: Type.String({ minLength: 1, maxLength: 200 }),
    apiKey: Type.String({ minLength: 1, maxLength: 500 }),
  }),
)

/**
 * Creates a reader of app tokens: a JWT (HS256, signed with a secret of the cloud) that some clients send in the
 * `Authorization` header of an app socket (app-socket.md §1.3). The API key inside must be verified separately.
 */
export function appTokenReader(secrets: readonly string[]): (token: string) => AppToken | undefined {
  const verifiers = secrets.map((key) =>
    createVerifier({ key, algorithms: ['HS256'], clockTolerance: 60_000 }),
  )
  return (token) => {
    for (const verify of verifiers) {
      try {
        const claims: unknown = verify(token)
        return claimsValidator.Check(claims) ? claims : undefined
      } catch {}
    }
    return undefined
  }
}
