import { createValidator } from '@glasses-cloud/contract'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import { ALGORITHMS, type ForeignTokenReader, isTokenError } from './openid-issuer.ts'
import { IssuerUnavailable, PublishedKeys, verifyToken } from './published-keys.ts'
import { SupabaseClient, type SupabaseUser } from './supabase-client.ts'

/** The audience and the role of the tokens of users, which those of API keys do not have. */
const AUTHENTICATED = 'authenticated'

const CLOCK_TOLERANCE_SECONDS = 60

const claimsValidator = createValidator(
  Type.Object({
    iss: Type.String(),
    aud: Type.Union([Type.String(), Type.Array(Type.String())]),
    sub: Type.String({ minLength: 1, maxLength: 500 }),
    exp: Type.Number(),
    iat: Type.Number({ minimum: 0 }),
    role: Type.Literal(AUTHENTICATED),
    is_anonymous: Type.Optional(Type.Literal(false)),
    session_id: Type.Optional(Type.String()),
  }),
)

/**
 * Creates a reader of the access tokens of a Supabase project. What can be checked here is checked first; then the
 * project is asked for the user of the token, since only it knows the present address, whether that was confirmed, and
 * whether the session still exists (AUTH-73).
 * @param readSigned reads tokens signed with the shared secret of the project, if the cloud has it
 * @param now epoch milliseconds
 * @returns a reader that throws `IssuerUnavailable`
 */
export function createSupabaseReader(
  project: { readonly url: string; readonly anonKey: string },
  readSigned: ForeignTokenReader | undefined,
  now: () => number,
): ForeignTokenReader {
  const client = new SupabaseClient(project)
  const published = new PublishedKeys(now)
  let keys: Promise<JWTVerifyGetKey> | undefined
  const isSignedByKey = async (token: string) => {
    const { errors } = await import('jose')
    const path = '/.well-known/jwks.json'
    keys ??= published.at(client.issuer + path, async () => (await client.get(path)).body)
    try {
      await verifyToken(token, await keys, {
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      })
      return true
    } catch (error) {
      if (error instanceof errors.JOSEError && isTokenError(error)) return false
      throw error instanceof IssuerUnavailable ? error : new IssuerUnavailable(error)
    }
  }
  return async (token, beforeAsking = async () => {}) => {
    const { decodeJwt, decodeProtectedHeader } = await import('jose')
    let claims: unknown
    let algorithm: unknown
    try {
      claims = decodeJwt(token)
      algorithm = decodeProtectedHeader(token).alg
    } catch {
      return undefined
    }
    if (!claimsValidator.Check(claims) || claims.iss !== client.issuer) return undefined
    if (![claims.aud].flat().includes(AUTHENTICATED)) return undefined
    if (claims.exp + CLOCK_TOLERANCE_SECONDS < Date.now() / 1000) return undefined
    if (algorithm === 'HS256') {
      if (readSigned !== undefined && (await readSigned(token)) === undefined) return undefined
    } else if (!(await isSignedByKey(token))) return undefined
    await beforeAsking()
    const user = await client.userOf(token)
    if (user?.id !== claims.sub || !isPerson(user)) return undefined
    return { email: user.email, issuedAt: claims.iat * 1000, session: claims.session_id }
  }
}

/** Returns whether a user may sign in with their address. */
function isPerson(user: SupabaseUser): user is SupabaseUser & { readonly email: string } {
  const { email, email_confirmed_at: confirmedAt, banned_until: bannedUntil } = user
  if (!email || !confirmedAt || user.is_anonymous === true || user.deleted_at) return false
  return !bannedUntil || Date.parse(bannedUntil) <= Date.now()
}
