import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE_PREFIX } from '../../../http/auth/index.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter, User } from '../../../identity/index.ts'
import { type BrowserLogins, PENDING_COOKIE } from '../browser-logins.ts'
import type { VerificationStore } from '../verification-store.ts'

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
  readonly browserLogins: BrowserLogins
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

  /**
   * Makes the browser wait for a code, after its user's password, without the session that it had.
   * @param confirm checks, once the wait is stored, that the password is still valid; an error ends the wait
   */
  async start({ id }: User, reply: FastifyReply, confirm: () => Promise<void>): Promise<void> {
    const { browserLogins, verifications, now } = this.#deps
    const secret = randomBytes(24).toString('base64url')
    await verifications.add('2fa', secret, id, now() + PENDING_LIFETIME_MS, now())
    try {
      await confirm()
    } catch (error) {
      await verifications.use('2fa', secret, now())
      throw error
    }
    browserLogins.setCookie(reply, PENDING_COOKIE, secret, PENDING_LIFETIME_MS)
    browserLogins.forget(reply)
  }

  async find(request: FastifyRequest): Promise<PendingSignIn | undefined> {
    const { browserLogins, verifications, now } = this.#deps
    const secret = browserLogins.readCookie(request, PENDING_COOKIE)
    const userId = secret === undefined ? undefined : await verifications.find('2fa', secret, now())
    return secret === undefined || userId === undefined ? undefined : { secret, userId }
  }

  /** Counts a code before it is verified. @throws Fault `TOO_MANY_ATTEMPTS`, and ends the sign-in */
  async countAttempt({ secret }: PendingSignIn, reply: FastifyReply): Promise<void> {
    const { browserLogins, verifications, guesses, now } = this.#deps
    const limit = { purpose: '2fa', subject: secret, attempts: MAX_ATTEMPTS, windowMs: PENDING_LIFETIME_MS }
    if ((await guesses.attempt(limit)) === undefined) return
    await verifications.use('2fa', secret, now())
    browserLogins.setCookie(reply, PENDING_COOKIE, '', 0)
    throw fault('TOO_MANY_ATTEMPTS')
  }

  /**
   * Ends the wait, after the code.
   * @param options.trustDevice whether the browser needs no code from now on
   * @returns whether it had not ended, for one of several concurrent callers
   */
  async complete(
    { secret }: PendingSignIn,
    { trustDevice }: { readonly trustDevice: boolean },
    reply: FastifyReply,
  ): Promise<boolean> {
    const { verifications, now } = this.#deps
    if (trustDevice) return this.#trust('2fa', secret, reply)
    return (await verifications.use('2fa', secret, now())) !== undefined
  }

  /** Exchanges a secret for the trust of the browser. @returns false if it is no longer valid */
  async #trust(purpose: '2fa' | 'trust-device', secret: string, reply: FastifyReply): Promise<boolean> {
    const { browserLogins, verifications, now } = this.#deps
    const trust = randomBytes(24).toString('base64url')
    const next = { purpose: 'trust-device', secret: trust, expiresAt: now() + TRUST_LIFETIME_MS } as const
    if (!(await verifications.replace({ purpose, secret }, next, now()))) return false
    browserLogins.setCookie(reply, TRUST_COOKIE, trust, TRUST_LIFETIME_MS)
    return true
  }

  /** Returns whether the browser needs no code, and renews its trust. */
  async isTrusted(user: User, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { browserLogins, verifications, now } = this.#deps
    const secret = browserLogins.readCookie(request, TRUST_COOKIE)
    if (secret === undefined) return false
    const userId = await verifications.find('trust-device', secret, now())
    if (userId === user.id && (await this.#trust('trust-device', secret, reply))) return true
    browserLogins.setCookie(reply, TRUST_COOKIE, '', 0)
    return false
  }
}
