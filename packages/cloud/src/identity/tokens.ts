import { randomUUID } from 'node:crypto'
import { createValidator } from '@glasses-cloud/contract'
import { createSigner, createVerifier, TOKEN_ERROR_CODES } from 'fast-jwt'
import { type Static, Type } from 'typebox'

/** What a token opens: everything of its user, or only what glasses need (decision I3). */
export type TokenScope = 'core' | 'glasses'

/** What a token says once its signature, form and time have been checked. */
export interface TokenClaims {
  /** User id if `ours`, else whatever the other issuer names its user by. */
  readonly sub: string
  /** As written in the token; not normalised. */
  readonly email: string
  readonly scope: TokenScope
  /** When it was issued, epoch ms, to the second; absent in some foreign tokens. */
  readonly issuedAt: number | undefined
  /** How long it lives in all, ms; absent in tokens without an end, or that do not say when they were issued. */
  readonly lifetimeMs: number | undefined
  /** Epoch ms from which the token is rejected, clock tolerance included; infinite without `exp`. */
  readonly expiresAt: number
  /** Whether this cloud issued it; a foreign one was signed elsewhere with the same key. */
  readonly isOwn: boolean
}

/** What came of reading a token. */
export type TokenResult =
  | { readonly ok: true; readonly claims: TokenClaims }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' }

/** Whom a token is issued for. */
export interface TokenSubject {
  readonly id: string
  readonly email: string
  /** Epoch ms before which issued tokens are void. */
  readonly tokensValidFrom: number
}

/** How long a core token lives unless said otherwise, in ms. */
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

/** Issues and reads the cloud's tokens: JWT, HS256 and nothing else (decision I2). */
export class Tokens {
  readonly #secret: string
  readonly #verify: (token: string) => unknown

  /** @param acceptNonExpiring whether foreign tokens without `exp` are read */
  constructor(options: { readonly secret: string; readonly acceptNonExpiring: boolean }) {
    this.#secret = options.secret
    this.#verify = createVerifier({
      key: options.secret,
      algorithms: ['HS256'],
      clockTolerance: CLOCK_TOLERANCE_MS,
      requiredClaims: options.acceptNonExpiring ? ['sub', 'email'] : ['sub', 'email', 'exp'],
    })
  }

  /** Issues a token. Those with the scope `glasses` open the glasses' socket and the gallery alone. */
  issue(user: TokenSubject, options: { readonly scope?: TokenScope; readonly lifeMs?: number } = {}): string {
    const { scope = 'core', lifeMs = DEFAULT_TOKEN_LIFETIME_MS } = options
    const sign = createSigner({ key: this.#secret, algorithm: 'HS256', expiresIn: lifeMs })
    return sign({
      sub: user.id,
      email: user.email,
      // Whole seconds cannot tell before from after within one; so what is issued after a logout counts from the
      // next second, and what was issued in the same second before it is void.
      iat: Math.max(Math.floor(Date.now() / 1000), Math.ceil(user.tokensValidFrom / 1000)),
      jti: JTI_PREFIX + randomUUID(),
      ...(scope === 'core' ? {} : { scope }),
    })
  }

  /** Checks signature, algorithm, form and time. Whether the user still exists is not looked at. */
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
