import { createValidator } from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import { IssuerUnavailable } from './published-keys.ts'

/** Timeout of each request to the project, its body included. */
const REQUEST_TIMEOUT_MS = 5_000

/** Requests at once; further ones fail, so that invalid tokens neither flood the project nor pile up here. */
const MAX_REQUESTS = 8

const MAX_RESPONSE_BYTES = 256 * 1024

const user = Type.Object({
  id: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  email_confirmed_at: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  is_anonymous: Type.Optional(Type.Boolean()),
  banned_until: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  deleted_at: Type.Optional(Type.Union([Type.Null(), Type.String()])),
})
const userValidator = createValidator(user)

/** A user as the project describes them now. */
export type SupabaseUser = Static<typeof user>

/** The endpoints of Supabase Auth that the cloud asks. Methods throw `IssuerUnavailable`. */
export class SupabaseClient {
  /** The `iss` claim of the tokens of the project, and the address of its endpoints. */
  readonly issuer: string
  readonly #anonKey: string
  #requestCount = 0

  constructor({ url, anonKey }: { readonly url: string; readonly anonKey: string }) {
    this.issuer = `${url}/auth/v1`
    this.#anonKey = anonKey
  }

  /** Returns the user of an access token; undefined if the project rejects the token. */
  async userOf(token: string): Promise<SupabaseUser | undefined> {
    const { status, body } = await this.get('/user', token)
    if (status !== 200) return undefined
    if (userValidator.Check(body)) return body
    throw new IssuerUnavailable(new Error(`${this.issuer}/user does not describe a user`))
  }

  /**
   * Sends a request with the key of the project, and the token of a user if there is one. Redirects are errors, so that
   * neither is sent elsewhere.
   * @returns the body as JSON if the status is 200; the status is below 500
   */
  async get(path: string, token?: string): Promise<{ readonly status: number; readonly body: unknown }> {
    if (this.#requestCount >= MAX_REQUESTS)
      throw new IssuerUnavailable(new Error('Too many requests at once'))
    this.#requestCount += 1
    try {
      const response = await fetch(this.issuer + path, {
        headers: {
          accept: 'application/json',
          apikey: this.#anonKey,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      const { status } = response
      if (status === 200) return { status, body: JSON.parse(await readText(response)) }
      await response.body?.cancel()
      if (status === 429 || status < 400 || status >= 500) throw new Error(`status ${status}`)
      return { status, body: undefined }
    } catch (error) {
      throw new IssuerUnavailable(error)
    } finally {
      this.#requestCount -= 1
    }
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('The response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
