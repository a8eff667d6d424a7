import { createHmac } from 'node:crypto'
import { createValidator, photoRequestId } from '@glasses-cloud/contract'
import { createSigner, createVerifier } from 'fast-jwt'
import { type Static, Type } from 'typebox'
import { type AuthScheme, absent, accepted, bearerToken, rejected } from '../../http/auth/index.ts'
import type { User, UserStore } from '../../identity/index.ts'

/** Covers the time until the glasses have taken the photo and its upload. */
const TOKEN_LIFETIME_MS = 60_000

const grant = Type.Object({
  sub: Type.String({ description: 'Opaque id of the user' }),
  packageName: Type.String(),
  requestId: photoRequestId,
  trace: Type.Optional(Type.String({ description: 'Span of the request, if its trace is recorded' })),
  issuedAt: Type.Integer({ description: 'Epoch ms; a token issued before the user logged out is revoked' }),
})

const grantValidator = createValidator(grant)
const expiryValidator = createValidator(Type.Object({ exp: Type.Number() }))

/** Claims of an upload token, which permits one photo request of one app to be fulfilled. */
export type UploadGrant = Static<typeof grant>

/**
 * Issues and verifies the tokens with which glasses upload a requested photo without the user's token. They are signed
 * with a separate derived key, so that upload tokens and other tokens are not interchangeable.
 */
export class UploadTokens {
  readonly #now: () => number
  readonly #sign: (claims: UploadGrant & { readonly iat: number }) => string
  /** One for each accepted secret. */
  readonly #verifiers: readonly ((token: string) => unknown)[]

  /**
   * @param secrets the accepted values of `AUTH_SECRET`, the current one first
   * @param now epoch ms
   */
  constructor(secrets: readonly string[], now: () => number) {
    this.#now = now
    const keys = secrets.map((secret) => createHmac('sha256', secret).update('photo-upload').digest('hex'))
    this.#sign = createSigner({ key: keys[0], algorithm: 'HS256', expiresIn: TOKEN_LIFETIME_MS })
    this.#verifiers = keys.map((key) =>
      createVerifier({ key, algorithms: ['HS256'], requiredClaims: ['exp'], ignoreExpiration: true }),
    )
  }

  issue(claims: Omit<UploadGrant, 'issuedAt'>): string {
    const issuedAt = this.#now()
    return this.#sign({ ...claims, issuedAt, iat: Math.floor(issuedAt / 1000) })
  }

  /** Verifies a token. @returns its claims; undefined if it is invalid or expired */
  read(token: string): UploadGrant | undefined {
    for (const verify of this.#verifiers) {
      try {
        const claims: unknown = verify(token)
        // By the clock that nodes share, rather than that of the machine.
        const isValid = expiryValidator.Check(claims) && claims.exp * 1000 > this.#now()
        return isValid && grantValidator.Check(claims) ? claims : undefined
      } catch {}
    }
    return undefined
  }
}

/** Glasses that upload a requested photo. */
interface UploadCaller {
  readonly kind: 'upload'
  readonly user: User
  readonly grant: UploadGrant
}

/** Accepts the `authToken` of a `photo_request`, which glasses send with the photo. */
export const uploadToken = ({
  tokens,
  users,
}: {
  readonly tokens: UploadTokens
  readonly users: UserStore
}): AuthScheme<UploadCaller> => ({
  name: 'uploadToken',
  security: [
    {
      uploadToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The authToken of a photo request; valid only for that photo',
      },
    },
  ],
  errors: ['UNAUTHORIZED'],
  async authenticate(request) {
    const token = bearerToken(request.headers.authorization)
    if (token === undefined) return absent('UNAUTHORIZED')
    const grant = tokens.read(token)
    const user = grant && (await users.findById(grant.sub))
    const isRevoked = grant && user && grant.issuedAt < user.tokensValidFrom
    return grant && user && !isRevoked ? accepted({ kind: 'upload', user, grant }) : rejected('UNAUTHORIZED')
  },
})
