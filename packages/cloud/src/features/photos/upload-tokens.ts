import { createHmac } from 'node:crypto'
import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { createSigner, createVerifier } from 'fast-jwt'
import { type Static, Type } from 'typebox'

/** How long an upload token is good for, in ms: the wait for the photo and the time of its upload. */
const LIFE_MS = 60_000

const grant = Type.Object({
  sub: Type.String({ description: 'Opaque id of the wearer' }),
  packageName: Type.String(),
  requestId: photoRequestId,
  issuedAt: Type.Integer({ description: 'Epoch ms; a token issued before the user logged out is revoked' }),
})

const form = createValidator(grant)

/** What an upload token allows: the upload of one photo, for one request of one app. */
export type UploadGrant = Static<typeof grant>

/**
 * Tokens with which glasses upload the one photo they were asked for, without the wearer's own token. They are
 * signed with a key derived for them alone, so that they open nothing else and nothing else passes for one.
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
    this.#sign = createSigner({ key, algorithm: 'HS256', expiresIn: LIFE_MS })
    this.#verify = createVerifier({ key, algorithms: ['HS256'], requiredClaims: ['exp'] })
  }

  issue(claims: Omit<UploadGrant, 'issuedAt'>): string {
    return this.#sign({ ...claims, issuedAt: this.#now() })
  }

  /** @returns undefined for whatever is no token of these, or one that ran out */
  read(token: string): UploadGrant | undefined {
    try {
      const claims: unknown = this.#verify(token)
      return form.Check(claims) ? claims : undefined
    } catch {
      return undefined
    }
  }
}
