import { validatorOf } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'

/** What a signed app token says: the app, and its API key. */
export interface AppToken {
  readonly packageName: string
  readonly apiKey: string
}

const form = validatorOf(
  Type.Object({
    packageName: Type.String({ minLength: 1, maxLength: 200 }),
    apiKey: Type.String({ minLength: 1, maxLength: 500 }),
  }),
)

/**
 * Makes the reader of app tokens: JWT, HS256 with the cloud's secret, as clients send it that authenticate an app
 * socket by header (app socket protocol, 1.3). The key inside must be checked as any other.
 */
export function appTokenReader(secret: string): (token: string) => AppToken | undefined {
  const verify = createVerifier({ key: secret, algorithms: ['HS256'], clockTolerance: 60_000 })
  return (token) => {
    try {
      const claims: unknown = verify(token)
      return form.Check(claims) ? claims : undefined
    } catch {
      return undefined
    }
  }
}
