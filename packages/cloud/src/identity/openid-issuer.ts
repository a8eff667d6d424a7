import { createValidator } from '@glasses-cloud/contract'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import { IssuerUnavailable, PublishedKeys } from './published-keys.ts'

/** A user as verified by an identity provider. */
export interface ForeignIdentity {
  /** Not normalized. */
  readonly email: string
  /** Epoch milliseconds, to the second; undefined if the provider does not state it. */
  readonly issuedAt: number | undefined
  /** The session at the provider to which the token belongs, if it names one. */
  readonly session?: string | undefined
  /** The account at an issuer of browsers (`OIDC_ISSUERS`), which is linked to one account here. */
  readonly account?: { readonly issuerId: string; readonly subject: string }
}

/**
 * Reads a token of an identity provider; resolves with undefined if the token is invalid.
 * @param beforeAsking called before the provider is asked about this token; the reading fails if it rejects
 */
export type ForeignTokenReader = (
  token: string,
  beforeAsking?: () => Promise<void>,
) => Promise<ForeignIdentity | undefined>

/** Timeout of each request to the issuer. */
const REQUEST_TIMEOUT_MS = 5_000

/** Accepted algorithms: asymmetric only, since with HS256 the public key would be a valid secret. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
]

const discoveryValidator = createValidator(Type.Object({ issuer: Type.String(), jwks_uri: Type.String() }))

const claimsValidator = createValidator(
  Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    email_verified: Type.Literal(true),
    sub: Type.String({ minLength: 1 }),
    iat: Type.Optional(Type.Number({ minimum: 0 })),
    sid: Type.Optional(Type.String()),
  }),
)

/**
 * Creates a reader of ID tokens of an OpenID Connect issuer: signed with a published key of the issuer, for the given
 * audience, of a user with a verified e-mail address. The issuer's keys are loaded at the first token.
 * @param issuer the `iss` claim of its tokens
 * @param audience the client ID of this cloud at the issuer
 * @returns a reader that throws `IssuerUnavailable`
 */
function createOpenIdReader(
  issuer: string,
  audience: string,
  now: () => number,
): (token: string) => Promise<(ForeignIdentity & { readonly subject: string }) | undefined> {
  const published = new PublishedKeys(now)
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (token) => {
    // Loaded at the first token: most clouds never receive one.
    const { errors, jwtVerify } = await import('jose')
    keys ??= findKeys(issuer, published)
    const foundKeys = await keys.catch((error: unknown) => {
      keys = undefined
      throw error
    })
    try {
      const { payload } = await jwtVerify(token, foundKeys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: 60,
        requiredClaims: ['exp', 'sub'],
      })
      if (!claimsValidator.Check(payload)) return undefined
      const issuedAt = payload.iat === undefined ? undefined : payload.iat * 1000
      return { email: payload.email, issuedAt, subject: payload.sub, session: payload.sid }
    } catch (error) {
      if (error instanceof errors.JOSEError && isTokenError(error)) return undefined
      throw error instanceof IssuerUnavailable ? error : new IssuerUnavailable(error)
    }
  }
}

/**
 * Creates a reader of the ID tokens of several issuers; the token names its issuer.
 * @param now epoch milliseconds
 * @returns a reader that throws `IssuerUnavailable`
 */
export function createOpenIdReaders(
  issuers: readonly {
    readonly issuer: string
    readonly audience: string
    /** Of an issuer of `OIDC_ISSUERS`. */
    readonly id?: string
  }[],
  now: () => number,
): ForeignTokenReader {
  const readers = issuers.map(({ issuer, audience, id }) => {
    return { issuer, id, read: createOpenIdReader(issuer, audience, now) }
  })
  return async (token) => {
    const { decodeJwt, errors } = await import('jose')
    try {
      const { iss } = decodeJwt(token)
      // An issuer may have several clients of this cloud, such as one for phones and one for browsers.
      for (const { issuer, id, read } of readers) {
        const identity = issuer === iss ? await read(token) : undefined
        if (identity === undefined) continue
        const { email, issuedAt, session, subject } = identity
        return { email, issuedAt, session, ...(id !== undefined && { account: { issuerId: id, subject } }) }
      }
      return undefined
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}

/** Finds where the issuer publishes its keys. @throws {IssuerUnavailable} */
async function findKeys(issuer: string, published: PublishedKeys): Promise<JWTVerifyGetKey> {
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const metadata = await published.request(async () => {
    const found = await fetchJson(address)
    if (!discoveryValidator.Check(found) || found.issuer !== issuer)
      throw new Error(`${address} does not describe the issuer`)
    return found
  })
  return published.at(metadata.jwks_uri, () => fetchJson(metadata.jwks_uri))
}

/** Fetches a document of the issuer; undefined without the status of success. */
async function fetchJson(address: string): Promise<unknown> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const response = await fetch(address, { signal, redirect: 'error' })
  return response.ok ? response.json() : undefined
}

/** Returns whether an error is caused by the token; other errors are failures to load the keys. */
export function isTokenError({ code }: { readonly code: string }): boolean {
  return !['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(code)
}
