import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE_PREFIX } from '../../../http/auth/index.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter, User } from '../../../identity/index.ts'
import type { VerificationStore } from '../verification-store.ts'
import { PENDING_COOKIE, type WebSessions } from '../web-sessions.ts'

/** Time to enter the code. */
const PENDING_LIFETIME_MS = 10 * 60_000

/** Wrong codes after which a sign-in starts again with the password (ACCT-42). */
const MAX_ATTEMPTS = 5

/** How long a trusted browser requires no code, from its last sign-in. */
const TRUST_LIFETIME_MS = 30 * 24 * 60 * 60_000

const TRUST_COOKIE = `${COOKIE_PREFIX}.trust_device`

/** A sign-in that waits for a code. */
export interface PendingSignIn {
  readonly secret: string
  readonly userId: string
}

export interface PendingSignInsDeps {
  readonly webSessions: WebSessions
  readonly verifications: VerificationStore
  readonly guesses: GuessLimiter
  readonly now: () => number
}

/** Sign-ins that wait for the code of a second factor, and browsers that need none. Each is a secret in a cookie. */
export class PendingSignIns {
  readonly #deps: PendingSignInsDeps

  constructor(deps: PendingSignInsDeps) {
    this.#deps = deps
  }

  /** Makes the browser wait for a code, after its user's password, without the session that it had. */
  async start({ id }: User, reply: FastifyReply): Promise<void> {
    const { webSessions, verifications, now } = this.#deps
    const secret = randomBytes(24).toString('base64url')
    await verifications.add('2fa', secret, id, now() + PENDING_LIFETIME_MS, now())
    webSessions.setCookie(reply, PENDING_COOKIE, `2fa-${secret}`, PENDING_LIFETIME_MS)
    webSessions.forget(reply)
  }

  async find(request: FastifyRequest): Promise<PendingSignIn | undefined> {
    const { webSessions, verifications, now } = this.#deps
    // Cookies of earlier versions end with a signature.
    const secret = /^2fa-([\w-]+)/.exec(webSessions.readCookie(request, PENDING_COOKIE) ?? '')?.[1]
    const userId = secret === undefined ? undefined : await verifications.find('2fa', secret, now())
    return secret === undefined || userId === undefined ? undefined : { secret, userId }
  }

  /** Counts a code before it is verified. @throws Fault `TOO_MANY_ATTEMPTS`, and ends the sign-in */
  async countAttempt({ secret }: PendingSignIn, reply: FastifyReply): Promise<void> {
    const limit = { purpose: '2fa', subject: secret, attempts: MAX_ATTEMPTS, windowMs: PENDING_LIFETIME_MS }
    if ((await this.#deps.guesses.attempt(limit)) === undefined) return
    await this.end({ secret }, reply)
    throw fault('TOO_MANY_ATTEMPTS')
  }

  /** Ends the wait. @returns whether it had not ended, for one of several concurrent callers */
  async end({ secret }: Pick<PendingSignIn, 'secret'>, reply: FastifyReply): Promise<boolean> {
    const { webSessions, verifications, now } = this.#deps
    webSessions.setCookie(reply, PENDING_COOKIE, '', 0)
    return (await verifications.use('2fa', secret, now())) !== undefined
  }

  /** Remembers that the browser needs no code. */
  async trust({ id }: User, reply: FastifyReply): Promise<void> {
    const { webSessions, verifications, now } = this.#deps
    const secret = randomBytes(24).toString('base64url')
    await verifications.add('trust-device', secret, id, now() + TRUST_LIFETIME_MS, now())
    webSessions.setCookie(reply, TRUST_COOKIE, `trust-device-${secret}`, TRUST_LIFETIME_MS)
  }

  /** Returns whether the browser needs no code, and renews its trust. */
  async isTrusted(user: User, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { webSessions, verifications, now } = this.#deps
    const cookie = webSessions.readCookie(request, TRUST_COOKIE)
    if (cookie === undefined) return false
    // Those of earlier versions have a signature before and after the secret.
    const secret = /trust-device-([\w-]+)/.exec(cookie)?.[1]
    const userId = secret === undefined ? undefined : await verifications.find('trust-device', secret, now())
    if (secret !== undefined && userId === user.id) {
      await verifications.use('trust-device', secret, now())
      await this.trust(user, reply)
      return true
    }
    webSessions.setCookie(reply, TRUST_COOKIE, '', 0)
    return false
  }
}
