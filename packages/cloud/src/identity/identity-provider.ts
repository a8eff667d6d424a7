import { createValidator } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'
import type { IdTokenIssuer, OidcIssuer } from '../config/index.ts'
import type { ForeignTokenReader } from './openid-issuer.ts'
import { createOpenIdReaders } from './openid-issuer.ts'
import { createSupabaseReader } from './supabase-tokens.ts'

/** Token readers of the configured identity providers. */
export interface IdentityProviders {
  readonly supabase: ForeignTokenReader | undefined
  readonly authing: ForeignTokenReader | undefined
  readonly openId: ForeignTokenReader | undefined
}

export function createIdentityProviders(options: {
  readonly supabase: { readonly url: string; readonly anonKey: string } | undefined
  readonly supabaseSecret: string | undefined
  readonly authingSecret: string | undefined
  readonly openId: IdTokenIssuer | undefined
  /** Issuers where users sign in, with the client id of this cloud. */
  readonly issuers: readonly OidcIssuer[]
  readonly now: () => number
}): IdentityProviders {
  const { authingSecret, openId, now } = options
  const issuers = [
    ...(openId === undefined ? [] : [openId]),
    ...options.issuers.map((issuer) => ({ ...issuer, audience: issuer.clientId })),
  ]
  return {
    openId: issuers.length === 0 ? undefined : createOpenIdReaders(issuers, now),
    supabase: supabaseReader(options),
    authing: authingSecret === undefined ? undefined : createSecretReader(authingSecret),
  }
}

function supabaseReader({
  supabase,
  supabaseSecret,
  now,
}: Pick<Parameters<typeof createIdentityProviders>[0], 'supabase' | 'supabaseSecret' | 'now'>) {
  const readSigned = supabaseSecret === undefined ? undefined : createSecretReader(supabaseSecret)
  return supabase === undefined ? readSigned : createSupabaseReader(supabase, readSigned, now)
}

const claims = Type.Object({
  sub: Type.String({ minLength: 1, maxLength: 500 }),
  email: Type.String({ minLength: 1, maxLength: 254 }),
  exp: Type.Number(),
  iat: Type.Optional(Type.Number({ minimum: 0 })),
  email_verified: Type.Optional(Type.Unknown()),
  // Supabase also signs its API keys with this secret; tokens of users have the role `authenticated`.
  role: Type.Optional(Type.Unknown()),
  is_anonymous: Type.Optional(Type.Unknown()),
  session_id: Type.Optional(Type.String()),
})
const claimsValidator = createValidator(claims)

/**
 * Creates a reader of tokens that a provider signs with a shared secret: JWT, HS256 only, with `exp`, of a user whose
 * e-mail address is not marked as unverified (glasses-socket.md §6).
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
    if (String(verified).toLowerCase() === 'false' || role !== 'authenticated' || anonymous === true)
      return undefined
    return { email, issuedAt: iat === undefined ? undefined : iat * 1000, session: payload.session_id }
  }
}
