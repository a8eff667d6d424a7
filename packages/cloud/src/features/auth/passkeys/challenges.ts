import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE_PREFIX } from '../../../http/auth/index.ts'
import { hashSecret, seal, unseal } from '../../../identity/index.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import type { PasskeyStore } from './passkey-store.ts'

/** Time in which a challenge must be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000

export type Ceremony = 'registration' | 'sign-in'

interface PendingChallenge {
  readonly challenge: string
  /** The user who registers a passkey. */
  readonly userId?: string | undefined
  /** Epoch ms. */
  readonly expiresAt: number
}

export interface ChallengesDeps {
  readonly store: PasskeyStore
  readonly browserLogins: BrowserLogins
  readonly secret: string
  /** The accepted secrets, the current one first. */
  readonly secrets: readonly string[]
  readonly now: () => number
}

/** Challenges that passkeys sign. Each is kept in a sealed cookie, and stored once it was answered. */
export class Challenges {
  readonly #deps: ChallengesDeps

  constructor(deps: ChallengesDeps) {
    this.#deps = deps
  }

  /** Creates a challenge and sets its cookie. @returns base64url */
  issue(reply: FastifyReply, ceremony: Ceremony, userId?: string): string {
    const { browserLogins, secret, now } = this.#deps
    const challenge = randomBytes(32).toString('base64url')
    const pending: PendingChallenge = { challenge, userId, expiresAt: now() + CHALLENGE_LIFETIME_MS }
    const content = seal(JSON.stringify(pending), secret, purpose(ceremony))
    browserLogins.setCookie(reply, cookieName(ceremony), content, CHALLENGE_LIFETIME_MS)
    return challenge
  }

  /**
   * Uses up the challenge in the cookie of a request.
   * @returns undefined if there is none for this ceremony and user, or it has expired or was used
   */
  async use(
    request: FastifyRequest,
    reply: FastifyReply,
    ceremony: Ceremony,
    userId?: string,
  ): Promise<string | undefined> {
    const { store, browserLogins, now } = this.#deps
    browserLogins.setCookie(reply, cookieName(ceremony), '', 0)
    const pending = this.#read(request, ceremony)
    if (pending === undefined || pending.userId !== userId || pending.expiresAt <= now()) return undefined
    const isUnused = await store.useChallenge(hashSecret(pending.challenge), pending.expiresAt)
    return isUnused ? pending.challenge : undefined
  }

  #read(request: FastifyRequest, ceremony: Ceremony): PendingChallenge | undefined {
    const cookie = this.#deps.browserLogins.readCookie(request, cookieName(ceremony))
    if (cookie === undefined) return undefined
    try {
      return JSON.parse(unseal(cookie, this.#deps.secrets, purpose(ceremony))) as PendingChallenge
    } catch {
      return undefined
    }
  }
}

const cookieName = (ceremony: Ceremony) => `${COOKIE_PREFIX}.passkey-${ceremony}`
const purpose = (ceremony: Ceremony) => `passkey ${ceremony}`
