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
})

const form = createValidator(grant)

/** What an upload token allows: the upload of one photo, for one request of one app. */
export type UploadGrant = Static<typeof grant>

/**
 * Tokens with which glasses upload the one photo they were asked for, without the wearer's own token. They are
 * signed with a key derived for them alone, so that they open nothing else and nothing else passes for one.
 */
export class UploadTokens {
  readonly #sign: (claims: UploadGrant) => string
  readonly #verify: (token: string) => unknown

  /** @param secret what the cloud signs with */
  constructor(secret: string) {
    const key = createHmac('sha256', secret).update('photo-upload').digest('hex')
    this.#sign = createSigner({ key, algorithm: 'HS256', expiresIn: LIFE_MS })
    this.#verify = createVerifier({ key, algorithms: ['HS256'], requiredClaims: ['exp'] })
  }

  issue(claims: UploadGrant): string {
    return this.#sign(claims)
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
