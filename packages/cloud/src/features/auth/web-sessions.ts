import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_COOKIE } from '../../http/auth/index.ts'
import { deriveSecret, LOGIN_LIFETIME_MS, type LoginStore, type User } from '../../identity/index.ts'

export interface WebSessionsDeps {
  readonly logins: LoginStore
  readonly secret: string
  readonly publicUrl: () => URL
  readonly now: () => number
}

/** Starts sessions of browsers after sign-ins that better-auth does not know, in the form that it reads. */
export class WebSessions {
  readonly #deps: WebSessionsDeps

  constructor(deps: WebSessionsDeps) {
    this.#deps = deps
  }

  /** Creates a login and sets the session cookie. @returns the session token */
  async start(user: User, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { logins, secret, now } = this.#deps
    const token = randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')
    const origin = { ipAddress: request.ip, userAgent: request.headers['user-agent'] }
    await logins.create(user.id, origin, now(), token)
    const signature = createHmac('sha256', deriveSecret(secret, 'accounts')).update(token).digest('base64')
    this.setCookie(reply, SESSION_COOKIE, `${token}.${signature}`, LOGIN_LIFETIME_MS)
    return token
  }

  /** Sets a cookie that scripts cannot read; a lifetime of 0 deletes it. */
  setCookie(reply: FastifyReply, name: string, value: string, lifetimeMs: number): void {
    const isSecure = this.#deps.publicUrl().protocol === 'https:'
    const attributes = `Max-Age=${Math.floor(lifetimeMs / 1000)}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    const prefix = isSecure ? '__Secure-' : ''
    void reply.header('set-cookie', `${prefix}${name}=${encodeURIComponent(value)}; ${attributes}`)
  }
}
