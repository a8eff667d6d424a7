import { randomUUID } from 'node:crypto'
import { createValidator } from '@glasses-cloud/contract'
import { createSigner, createVerifier, TOKEN_ERROR_CODES } from 'fast-jwt'
import { type Static, Type } from 'typebox'

/** What a token authorizes: everything, or only what glasses (decision I3) or the store's web page need. */
export type TokenScope = 'core' | 'glasses' | 'store'

/** The claims of a verified token. */
export interface TokenClaims {
  /** User id if `isOwn`, otherwise the id that the other issuer uses. */
  readonly sub: string
  /** Not normalized. */
  readonly email: string
  readonly scope: TokenScope
  /** Epoch milliseconds, to the second; undefined in some foreign tokens. */
  readonly issuedAt: number | undefined
  /** Total lifetime; undefined without `exp` or `iat`. */
  readonly lifetimeMs: number | undefined
  /** Epoch ms from which the token is rejected, clock tolerance included; infinite without `exp`. */
  readonly expiresAt: number
  /** The login that the token belongs to and ends with; undefined if it belongs to none. */
  readonly loginId: string | undefined
  /** Whether this cloud issued the token; foreign tokens are signed elsewhere with the same secret. */
  readonly isOwn: boolean
}

/** The claims of a token, or the reason for its rejection. */
export type TokenResult =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' }

/** The user that a token is issued for. */
export interface TokenSubject {
  readonly id: string
  readonly email: string
  /** Tokens issued before this time (epoch ms) are invalid. */
  readonly tokensValidFrom: number
}

/** Default lifetime of tokens. */
export const DEFAULT_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000

const CLOCK_TOLERANCE_MS = 60_000
const JTI_PREFIX = 'gc-'

const claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 500 }),
  email: Type.String({ minLength: 1, maxLength: 500 }),
  iat: Type.Optional(Type.Number({ minimum: 0 })),
  exp: Type.Optional(Type.Number({ minimum: 0 })),
  jti: Type.Optional(Type.String()),
  scope: Type.Optional(Type.Enum(['glasses', 'store'])),
  sid: Type.Optional(Type.String({ maxLength: 100 })),
})
const claimsValidator = createValidator(claims)

export interface TokensOptions {
  /** Signs tokens. */
  readonly secret: string
  /** Accepted as well. */
  readonly previousSecret?: string | undefined
  /** Whether foreign tokens without `exp` are accepted. */
  readonly acceptNonExpiring: boolean
  /** Epoch ms at which tokens are issued; by default the time of the machine. */
  readonly now?: (() => number) | undefined
}

/** Issues and verifies tokens: JWT, HS256 only (decision I2). */
export class Tokens {
  readonly #secret: string
  readonly #now: () => number
  /** One for each accepted secret. */
  readonly #verifiers: readonly ((token: string) => unknown)[]

  constructor({ secret, previousSecret, acceptNonExpiring, now = Date.now }: TokensOptions) {
    this.#secret = secret
    this.#now = now
    const accepted = previousSecret === undefined ? [secret] : [secret, previousSecret]
    this.#verifiers = accepted.map((key) =>
      createVerifier({
        key,
        algorithms: ['HS256'],
        clockTolerance: CLOCK_TOLERANCE_MS,
        requiredClaims: acceptNonExpiring ? ['sub', 'email'] : ['sub', 'email', 'exp'],
      }),
    )
  }

  /** Issues a token; the default scope is `core`. */
  issue(
    user: TokenSubject,
    options: {
      readonly scope?: TokenScope
      readonly lifetimeMs?: number
      /** The login that the token ends with. */
      readonly loginId?: string | undefined
    } = {},
  ): string {
    const { scope = 'core', lifetimeMs = DEFAULT_TOKEN_LIFETIME_MS, loginId } = options
    const sign = createSigner({ key: this.#secret, algorithm: 'HS256', expiresIn: lifetimeMs })
    return sign({
      sub: user.id,
      email: user.email,
      // `iat` has whole seconds: tokens issued after a logout count from the next second, so that tokens issued before
      // it in the same second are invalid.
      iat: Math.max(Math.floor(this.#now() / 1000), Math.ceil(user.tokensValidFrom / 1000)),
      jti: JTI_PREFIX + randomUUID(),
      ...(scope === 'core' ? {} : { scope }),
      ...(loginId === undefined ? {} : { sid: loginId }),
    })
  }

  /** Verifies signature, algorithm, claims and times. Does not check whether the user exists. */
  read(token: string): TokenResult {
    for (const verify of this.#verifiers) {
      try {
        const payload = verify(token)
        if (!claimsValidator.Check(payload)) return { ok: false, reason: 'invalid' }
        return { ok: true, claims: claimsOf(payload) }
      } catch (error) {
        // Any other error may be due to the secret.
        if ((error as { code?: unknown }).code === TOKEN_ERROR_CODES.expired)
          return { ok: false, reason: 'expired' }
      }
    }
    return { ok: false, reason: 'invalid' }
  }
}

function claimsOf({ sub, email, scope, iat, exp, jti, sid }: Static<typeof claims>): TokenClaims {
  return {
    sub,
    email,
    scope: scope ?? 'core',
    issuedAt: iat === undefined ? undefined : iat * 1000,
    lifetimeMs: iat === undefined || exp === undefined ? undefined : (exp - iat) * 1000,
    expiresAt: exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000 + CLOCK_TOLERANCE_MS,
    loginId: sid,
    isOwn: jti?.startsWith(JTI_PREFIX) === true,
  }
}
