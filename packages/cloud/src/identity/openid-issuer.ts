import { createValidator } from '@glasses-cloud/contract'
import type { JWTVerifyGetKey } from 'jose'
import { Type } from 'typebox'
import type { IdTokenIssuer } from '../config/index.ts'
import { type IssuerEmail, readIssuerEmail } from './issuer-email.ts'
import { fetchJson, isSameIssuer, loadIssuerMetadata } from './issuer-metadata.ts'
import { IssuerUnavailable, PublishedKeys, verifyToken } from './published-keys.ts'

/** A user as verified by an identity provider. */
export type ForeignIdentity = IssuerEmail & {
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
  'Ed25519',
]

const claimsValidator = createValidator(
  Type.Object({
    sub: Type.String({ minLength: 1 }),
    iat: Type.Optional(Type.Number({ minimum: 0 })),
    sid: Type.Optional(Type.String()),
  }),
)

/** Whose ID tokens are accepted; an issuer of `OIDC_ISSUERS` has an id. */
type Issuer = IdTokenIssuer & { readonly id?: string }

interface IssuerKeys {
  /** As its tokens name it. */
  readonly issuer: string
  readonly keys: JWTVerifyGetKey
}

/**
 * Creates a reader of ID tokens of an OpenID Connect issuer: signed with a published key of the issuer, for the given
 * audience. The issuer's keys are loaded at the first token.
 * @returns a reader that throws `IssuerUnavailable`
 */
function createOpenIdReader(
  issuer: Issuer,
  now: () => number,
): (token: string) => Promise<ForeignIdentity | undefined> {
  const { audience, id } = issuer
  const published = new PublishedKeys(now)
  let source: Promise<IssuerKeys> | undefined
  return async (token) => {
    // Loaded at the first token: most clouds never receive one.
    const { errors } = await import('jose')
    try {
      source ??= findKeys(issuer.issuer, published)
      const { issuer: name, keys } = await source
      const { payload } = await verifyToken(token, keys, {
        issuer: name,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: 60,
        requiredClaims: ['exp', 'sub'],
      })
      if (!claimsValidator.Check(payload)) return undefined
      const issuedAt = payload.iat === undefined ? undefined : payload.iat * 1000
      const account = id === undefined ? {} : { account: { issuerId: id, subject: payload.sub } }
      return { ...readIssuerEmail(payload, issuer), issuedAt, session: payload.sid, ...account }
    } catch (error) {
      if (error instanceof errors.JOSEError && isTokenError(error)) return undefined
      // The keys may have another address by now.
      source = undefined
      throw error instanceof IssuerUnavailable ? error : new IssuerUnavailable(error)
    }
  }
}

/**
 * Creates a reader of the ID tokens of several issuers; the token names its issuer.
 * @param now epoch milliseconds
 * @returns a reader that throws `IssuerUnavailable`
 */
export function createOpenIdReaders(issuers: readonly Issuer[], now: () => number): ForeignTokenReader {
  const readers = issuers.map((issuer) => ({ issuer: issuer.issuer, read: createOpenIdReader(issuer, now) }))
  return async (token) => {
    const { decodeJwt, errors } = await import('jose')
    try {
      const { iss } = decodeJwt(token)
      // An issuer may have several clients of this cloud, such as one for phones and one for browsers.
      for (const { issuer, read } of readers) {
        const identity = isSameIssuer(iss, issuer) ? await read(token) : undefined
        if (identity !== undefined) return identity
      }
      return undefined
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}

/** Finds where the issuer publishes its keys. @throws {IssuerUnavailable} */
async function findKeys(issuer: string, published: PublishedKeys): Promise<IssuerKeys> {
  const { issuer: name, address } = await published.request(async () => {
    const { issuer: found, jwks_uri: address = '' } = await loadIssuerMetadata(issuer)
    if (!URL.canParse(address)) throw new Error(`${issuer} does not say where its keys are`)
    return { issuer: found, address }
  })
  return { issuer: name, keys: await published.at(address, () => fetchJson(address)) }
}

/** Returns whether an error is caused by the token; other errors are failures to load the keys. */
export function isTokenError({ code }: { readonly code: string }): boolean {
  return !['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'].includes(code)
}
