import { randomUUID } from 'node:crypto'
import { createValidator } from '@glasses-cloud/contract'
import { createSigner, createVerifier, TOKEN_ERROR_CODES } from 'fast-jwt'
import { type Static, Type } from 'typebox'

/** What a token authorizes: everything, or only what glasses need (decision I3). */
export type TokenScope = 'core' | 'glasses'

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
  scope: Type.Optional(Type.Literal('glasses')),
})
const claimsValidator = createValidator(claims)

/** Issues and verifies tokens: JWT, HS256 only (decision I2). */
export class Tokens {
  readonly #secret: string
  readonly #verify: (token: string) => unknown

  /** @param acceptNonExpiring whether foreign tokens without `exp` are accepted */
  constructor(options: { readonly secret: string; readonly acceptNonExpiring: boolean }) {
    this.#secret = options.secret
    this.#verify = createVerifier({
      key: options.secret,
      algorithms: ['HS256'],
      clockTolerance: CLOCK_TOLERANCE_MS,
      requiredClaims: options.acceptNonExpiring ? ['sub', 'email'] : ['sub', 'email', 'exp'],
    })
  }

  /** Issues a token; the default scope is `core`. */
  issue(
    user: TokenSubject,
    options: { readonly scope?: TokenScope; readonly lifetimeMs?: number } = {},
  ): string {
    const { scope = 'core', lifetimeMs = DEFAULT_TOKEN_LIFETIME_MS } = options
    const sign = createSigner({ key: this.#secret, algorithm: 'HS256', expiresIn: lifetimeMs })
    return sign({
      sub: user.id,
      email: user.email,
      // `iat` has whole seconds: tokens issued after a logout count from the next second, so that tokens issued before
      // it in the same second are invalid.
      iat: Math.max(Math.floor(Date.now() / 1000), Math.ceil(user.tokensValidFrom / 1000)),
      jti: JTI_PREFIX + randomUUID(),
      ...(scope === 'core' ? {} : { scope }),
    })
  }

  /** Verifies signature, algorithm, claims and times. Does not check whether the user exists. */
  read(token: string): TokenResult {
    let payload: unknown
    try {
      payload = this.#verify(token)
    } catch (error) {
      const { code } = error as { code?: unknown }
      return { ok: false, reason: code === TOKEN_ERROR_CODES.expired ? 'expired' : 'invalid' }
    }
    if (!claimsValidator.Check(payload)) return { ok: false, reason: 'invalid' }
    return { ok: true, claims: claimsOf(payload) }
  }
}

function claimsOf({ sub, email, scope, iat, exp, jti }: Static<typeof claims>): TokenClaims {
  return {
    sub,
    email,
    scope: scope ?? 'core',
    issuedAt: iat === undefined ? undefined : iat * 1000,
    lifetimeMs: iat === undefined || exp === undefined ? undefined : (exp - iat) * 1000,
    expiresAt: exp === undefined ? Number.POSITIVE_INFINITY : exp * 1000 + CLOCK_TOLERANCE_MS,
    isOwn: jti?.startsWith(JTI_PREFIX) === true,
  }
}
