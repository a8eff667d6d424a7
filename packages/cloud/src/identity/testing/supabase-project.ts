import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'

/** A user, in the form in which `GET /auth/v1/user` returns it. */
export interface ProjectUser {
  readonly id: string
  email: string
  email_confirmed_at?: string
  is_anonymous: boolean
  banned_until?: string
  deleted_at?: string
}

interface SigningKey {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly jwk: JWK
}

/** The test or suite that owns the server. */
interface Scope {
  after(cleanUp: () => unknown): void
}

/**
 * A server with the endpoints of a Supabase project that are documented for verifying access tokens
 * (https://supabase.com/docs/guides/auth/jwts), and its settings. Rejects as Supabase Auth and its gateway do.
 */
export class SupabaseProject {
  readonly anonKey = 'sb_publishable_of_the_tests'
  /** Paths of the requests received, below `/auth/v1`. */
  readonly requests: string[] = []
  /** Handles requests instead of the project, unless it returns false. */
  intercept: (path: string, response: ServerResponse) => boolean = () => false
  /** `HS256` is a project with a shared secret, which publishes no keys. */
  algorithm: 'ES256' | 'HS256' = 'ES256'
  readonly sharedSecret = randomBytes(32).toString('hex')
  confirmsAddresses = true
  /** Published keys; the last one signs. */
  #keys: SigningKey[] = []
  readonly #users = new Map<string, ProjectUser>()
  readonly #sessions = new Set<string>()
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy())
  })

  static async start(scope: Scope): Promise<SupabaseProject> {
    const project = new SupabaseProject()
    await project.rotateKey()
    project.#server.listen(0, '127.0.0.1')
    await once(project.#server, 'listening')
    scope.after(async () => {
      project.#server.closeAllConnections()
      await new Promise((resolve) => project.#server.close(resolve))
    })
    return project
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get env(): { readonly SUPABASE_URL: string; readonly SUPABASE_ANON_KEY: string } {
    return { SUPABASE_URL: this.url, SUPABASE_ANON_KEY: this.anonKey }
  }

  /** The published key that signs. */
  get jwk(): JWK {
    return this.#signingKey.jwk
  }

  /** Publishes a new key, which signs from now on, in place of the earlier ones. */
  async rotateKey(): Promise<void> {
    this.#keys = [await createKey()]
  }

  /** Creates a user with a confirmed address. */
  addUser(email: string): ProjectUser {
    const user = {
      id: randomUUID(),
      email,
      email_confirmed_at: new Date().toISOString(),
      is_anonymous: false,
    }
    this.#users.set(user.id, user)
    return user
  }

  /** Starts a session. @returns its id, for `issue` */
  startSession(): string {
    const id = randomUUID()
    this.#sessions.add(id)
    return id
  }

  endSession(id: string): void {
    this.#sessions.delete(id)
  }

  /** Returns the claims of an access token. */
  claimsOf(user: ProjectUser, sessionId = this.startSession()): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000)
    return {
      iss: `${this.url}/auth/v1`,
      aud: 'authenticated',
      sub: user.id,
      email: user.email,
      phone: '',
      role: 'authenticated',
      aal: 'aal1',
      session_id: sessionId,
      is_anonymous: user.is_anonymous,
      user_metadata: { email_verified: true },
      iat: now,
      exp: now + 3_600,
    }
  }

  /** Issues an access token. */
  async issue(user: ProjectUser, sessionId?: string): Promise<string> {
    return this.sign(this.claimsOf(user, sessionId))
  }

  /** Signs claims as the project does. */
  async sign(claims: Record<string, unknown>): Promise<string> {
    const token = new SignJWT(claims)
    if (this.algorithm === 'HS256')
      return token.setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(Buffer.from(this.sharedSecret))
    const { privateKey, jwk } = this.#signingKey
    return token.setProtectedHeader({ alg: 'ES256', kid: String(jwk.kid), typ: 'JWT' }).sign(privateKey)
  }

  get #signingKey(): SigningKey {
    const key = this.#keys.at(-1)
    if (key === undefined) throw new Error('the project has no key')
    return key
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/auth\/v1/, '')
    this.requests.push(path)
    if (this.intercept(path, response)) return
    const { status, body } = await this.#answer(path, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  async #answer(path: string, { headers }: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (path === '/.well-known/jwks.json') {
      const keys = this.algorithm === 'HS256' ? [] : this.#keys.map(({ jwk }) => jwk)
      return { status: 200, body: { keys } }
    }
    if (headers.apikey !== this.anonKey) return { status: 401, body: { message: 'Invalid API key' } }
    if (path === '/settings')
      return { status: 200, body: { disable_signup: false, mailer_autoconfirm: !this.confirmsAddresses } }
    if (path !== '/user') return { status: 404, body: { message: 'no Route matched with those values' } }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!(await this.#isSigned(token))) return { status: 403, body: { error_code: 'bad_jwt' } }
    const { sub, session_id } = decodeJwt<{ readonly session_id?: string }>(token)
    const user = this.#users.get(sub ?? '')
    if (user === undefined) return { status: 403, body: { error_code: 'user_not_found' } }
    if (!this.#sessions.has(session_id ?? ''))
      return { status: 403, body: { error_code: 'session_not_found' } }
    return { status: 200, body: { aud: 'authenticated', role: 'authenticated', ...user } }
  }

  async #isSigned(token: string): Promise<boolean> {
    const keys =
      this.algorithm === 'HS256' ? [Buffer.from(this.sharedSecret)] : this.#keys.map((key) => key.publicKey)
    for (const key of keys) {
      try {
        await jwtVerify(token, key, { algorithms: [this.algorithm] })
        return true
      } catch {}
    }
    return false
  }
}

async function createKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'ES256', key_ops: ['verify'] }
  return { privateKey, publicKey, jwk }
}
