import { createValidator } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'
import { createOpenIdReader } from './openid-issuer.ts'

/** What a provider says of somebody who signed in there. */
export interface ForeignIdentity {
  /** As the provider writes it. */
  readonly email: string
  /** Epoch ms, to the second; absent where the provider does not say. */
  readonly issuedAt: number | undefined
}

/** Reads a token of an identity provider; nothing for one that does not hold. */
export type ForeignTokenReader = (token: string) => Promise<ForeignIdentity | undefined>

/** The identity providers that the operator named; absent, where none of the kind. */
export interface IdentityProviders {
  readonly supabase: ForeignTokenReader | undefined
  readonly authing: ForeignTokenReader | undefined
  readonly openId: ForeignTokenReader | undefined
}

/** Makes the readers of the identity providers that the operator named. */
export function createIdentityProviders(named: {
  readonly supabaseSecret: string | undefined
  readonly authingSecret: string | undefined
  readonly openId: { readonly issuer: string; readonly audience: string } | undefined
}): IdentityProviders {
  const { supabaseSecret, authingSecret, openId } = named
  return {
    openId: openId && createOpenIdReader(openId.issuer, openId.audience),
    supabase: supabaseSecret === undefined ? undefined : createSecretReader(supabaseSecret),
    authing: authingSecret === undefined ? undefined : createSecretReader(authingSecret),
  }
}

const claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 500 }),
  email: Type.String({ minLength: 1, maxLength: 254 }),
  exp: Type.Number(),
  iat: Type.Optional(Type.Number({ minimum: 0 })),
  email_verified: Type.Optional(Type.Unknown()),
  // Supabase signs its own keys with the same secret; only people have this role.
  role: Type.Optional(Type.Unknown()),
  is_anonymous: Type.Optional(Type.Unknown()),
})
const claimsValidator = createValidator(claims)

/**
 * The reader of an identity provider's tokens: JWT, HS256 and nothing else, with an end, of somebody whose
 * e-mail the provider does not say is unverified (glasses-socket.md §6).
 * @param secret the key that the provider signs with and shares with this cloud
 */
function createSecretReader(secret: string): ForeignTokenReader {
  const verify = createVerifier({
    key: secret,
    algorithms: ['HS256'],
    clockTolerance: 60_000,
    requiredClaims: ['sub', 'email', 'exp'],
  })
  return async (token) => {
    let payload: unknown
    try {
      payload = verify(token)
    } catch {
      return undefined
    }
    if (!claimsValidator.Check(payload)) return undefined
    const { email, iat, email_verified: verified, role = 'authenticated', is_anonymous: anonymous } = payload
    if (verified === false || role !== 'authenticated' || anonymous === true) return undefined
    return { email, issuedAt: iat === undefined ? undefined : iat * 1000 }
  }
}
