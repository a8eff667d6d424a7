import { createHmac } from 'node:crypto'
import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { createSigner, createVerifier } from 'fast-jwt'
import { type Static, Type } from 'typebox'

/** Covers the time until the glasses have taken the photo and its upload. */
const TOKEN_LIFETIME_MS = 60_000

const grant = Type.Object({
  sub: Type.String({ description: 'Opaque id of the user' }),
  packageName: Type.String(),
  requestId: photoRequestId,
  issuedAt: Type.Integer({ description: 'Epoch ms; a token issued before the user logged out is revoked' }),
})

const grantValidator = createValidator(grant)

/** Claims of an upload token, which permits one photo request of one app to be fulfilled. */
export type UploadGrant = Static<typeof grant>

/**
 * Issues and verifies the tokens with which glasses upload a requested photo without the user's token. They are signed
 * with a separate derived key, so that upload tokens and other tokens are not interchangeable.
 */
export class UploadTokens {
  readonly #now: () => number
  readonly #sign: (claims: UploadGrant) => string
  readonly #verify: (token: string) => unknown

  /**
   * @param secret `AUTH_SECRET`
   * @param now epoch ms
   */
  constructor(secret: string, now: () => number) {
    this.#now = now
    const key = createHmac('sha256', secret).update('photo-upload').digest('hex')
    this.#sign = createSigner({ key, algorithm: 'HS256', expiresIn: TOKEN_LIFETIME_MS })
    this.#verify = createVerifier({ key, algorithms: ['HS256'], requiredClaims: ['exp'] })
  }

  issue(claims: Omit<UploadGrant, 'issuedAt'>): string {
    return this.#sign({ ...claims, issuedAt: this.#now() })
  }

  /** Verifies a token. @returns its claims; undefined if it is invalid or expired */
  read(token: string): UploadGrant | undefined {
    try {
      const claims: unknown = this.#verify(token)
      return grantValidator.Check(claims) ? claims : undefined
    } catch {
      return undefined
    }
  }
}
