import { randomUUID } from 'node:crypto'
import { createValidator } from '@glasses-cloud/contract'
import { createSigner, createVerifier } from 'fast-jwt'
import { Type } from 'typebox'
import { deriveSecret } from './secrets.ts'

/** Lifetime of app tokens. */
export const APP_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000

const AUDIENCE = 'app-socket'

/** The app that a token is issued for, and the API key that it ends with. */
export interface AppTokenSubject {
  readonly packageName: string
  readonly keyId: string
}

const claimsValidator = createValidator(
  Type.Object({
    sub: Type.String({ minLength: 1, maxLength: 200 }),
    keyId: Type.String({ minLength: 1, maxLength: 64 }),
    exp: Type.Integer(),
  }),
)

/**
 * Issues and verifies the tokens with which apps authenticate their sockets (decision I9): JWT, HS256 only. They are
 * signed with a key of their own, derived from `AUTH_SECRET`, so that no other token passes for one of them or the other
 * way round. Whether the API key is still valid must be checked separately.
 */
export class AppTokens {
  readonly #now: () => number
  readonly #sign: (claims: object) => string
  /** One for each accepted secret. */
  readonly #verifiers: readonly ((token: string) => unknown)[]

  /**
   * @param secrets the accepted values of `AUTH_SECRET`, the current one first
   * @param now epoch ms
   */
  constructor(secrets: readonly [string, ...string[]], now: () => number) {
    this.#now = now
    const [current, ...previous] = secrets
    const key = signingKey(current)
    this.#sign = createSigner({ key, algorithm: 'HS256', expiresIn: APP_TOKEN_LIFETIME_MS, aud: AUDIENCE })
    this.#verifiers = [key, ...previous.map(signingKey)].map((accepted) =>
      createVerifier({
        key: accepted,
        algorithms: ['HS256'],
        allowedAud: AUDIENCE,
        requiredClaims: ['aud', 'exp'],
        ignoreExpiration: true,
      }),
    )
  }

  issue({ packageName, keyId }: AppTokenSubject): string {
    const iat = Math.floor(this.#now() / 1000)
    return this.#sign({ sub: packageName, keyId, iat, jti: randomUUID() })
  }

  /** Verifies a token. @returns undefined if it is invalid or expired */
  read(token: string): AppTokenSubject | undefined {
    for (const verify of this.#verifiers) {
      try {
        const claims: unknown = verify(token)
        // By the clock that nodes share, rather than that of the machine.
        if (!claimsValidator.Check(claims) || claims.exp * 1000 <= this.#now()) return undefined
        return { packageName: claims.sub, keyId: claims.keyId }
      } catch {}
    }
    return undefined
  }
}

function signingKey(secret: string): string {
  return deriveSecret(secret, 'app tokens')
}
