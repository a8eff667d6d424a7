import { createValidator } from '@glasses-cloud/contract'
import type { JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose'
import { Type } from 'typebox'

/** The issuer does not respond, or not according to its protocol. */
export class IssuerUnavailable extends Error {
  constructor(cause: unknown) {
    super('The identity provider cannot be reached', { cause })
    this.name = 'IssuerUnavailable'
  }
}

/** How long after a failure to load the published keys they are not requested again. */
const RETRY_MS = 5_000

const jwksValidator = createValidator(Type.Object({ keys: Type.Array(Type.Object({})) }))

/**
 * Requests for the published keys of an issuer. After a failure they fail at once for a while: otherwise every token of a
 * stranger would cause a request.
 */
export class PublishedKeys {
  readonly #now: () => number
  #failedAt = Number.NEGATIVE_INFINITY

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Runs a request. @throws {IssuerUnavailable} if it fails, or if one has failed within the last 5 s */
  async request<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.#now() < this.#failedAt + RETRY_MS) throw new IssuerUnavailable(new Error('Failed a moment ago'))
    try {
      return await send()
    } catch (error) {
      this.#failedAt = this.#now()
      throw error instanceof IssuerUnavailable ? error : new IssuerUnavailable(error)
    }
  }

  /**
   * The keys at an address, which are kept for ten minutes, and loaded again every 30 s at most for a token with another
   * key. They are requested when the first token is verified.
   * @param load returns the body of the response as JSON
   */
  async at(address: string, load: () => Promise<unknown>): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const loadChecked = async () => {
      const body = await load()
      if (!jwksValidator.Check(body)) throw new Error(`${address} has no keys`)
      return Response.json(body)
    }
    return createRemoteJWKSet(new URL(address), { [customFetch]: () => this.request(loadChecked) })
  }
}

/** Verifies a token with published keys; with each that is possible, if the token does not name one. @throws {JOSEError} */
export async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  const { errors, jwtVerify } = await import('jose')
  const isForged = (error: unknown) => error instanceof errors.JWSSignatureVerificationFailed
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const result = await jwtVerify(token, key, options).catch((reason: unknown) => {
        if (!isForged(reason)) throw reason
      })
      if (result !== undefined) return result
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}
