import { createValidator } from '@glasses-cloud/contract'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import type { ForeignTokenReader } from './identity-provider.ts'

/** How long the issuer may take to say where its keys are, and to show them, in ms. */
const DEADLINE_MS = 5_000

/** What an issuer signs with; nothing that whoever has a public key could. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const discoveryValidator = createValidator(Type.Object({ issuer: Type.String(), jwks_uri: Type.String() }))

const claimsValidator = createValidator(
  Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    email_verified: Type.Literal(true),
    iat: Type.Optional(Type.Number({ minimum: 0 })),
  }),
)

/** The issuer does not answer, or not as OpenID Connect has it. */
export class IssuerUnavailable extends Error {
  constructor(cause: unknown) {
    super('The identity provider cannot be reached', { cause })
    this.name = 'IssuerUnavailable'
  }
}

/**
 * Makes the reader of the ID tokens of an OpenID Connect issuer: signed with a key that the issuer shows, for this
 * cloud and nobody else, of somebody whose e-mail the issuer has verified. The issuer is asked at the first token.
 * @param issuer as it stands in its tokens
 * @param audience what the issuer calls this cloud
 * @returns a reader that throws `IssuerUnavailable`
 */
export function createOpenIdReader(issuer: string, audience: string): ForeignTokenReader {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (token) => {
    // Loaded when the first such token comes, which for most clouds is never.
    const { errors, jwtVerify } = await import('jose')
    keys ??= loadKeys(issuer)
    const shown = await keys.catch((error: unknown) => {
      keys = undefined
      throw new IssuerUnavailable(error)
    })
    try {
      const { payload } = await jwtVerify(token, shown, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: 60,
        requiredClaims: ['exp', 'sub'],
      })
      if (!claimsValidator.Check(payload)) return undefined
      return { email: payload.email, issuedAt: payload.iat === undefined ? undefined : payload.iat * 1000 }
    } catch (error) {
      if (error instanceof errors.JOSEError && isAboutToken(error)) return undefined
      throw new IssuerUnavailable(error)
    }
  }
}

async function loadKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error' })
  const said: unknown = answer.ok ? await answer.json() : undefined
  if (!discoveryValidator.Check(said) || said.issuer !== issuer)
    throw new Error(`${address} does not describe the issuer`)
  const { createRemoteJWKSet } = await import('jose')
  return createRemoteJWKSet(new URL(said.jwks_uri), { timeoutDuration: DEADLINE_MS })
}

/** Whatever else fails, fails on the way to the keys. */
function isAboutToken({ code }: { readonly code: string }): boolean {
  return !['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(code)
}
