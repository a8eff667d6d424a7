import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE_PREFIX } from '../../http/auth/index.ts'
import { seal, unseal } from '../../identity/index.ts'
import type { BrowserLogins } from './browser-logins.ts'

/** As long as a link that confirms an address. */
const LIFETIME_MS = 24 * 60 * 60_000

const COOKIE = `${COOKIE_PREFIX}.sign_up`
const PURPOSE = 'sign-up of a browser'

export interface AccountHoldersDeps {
  readonly browserLogins: BrowserLogins
  readonly secret: string
  /** The accepted secrets, the current one first. */
  readonly secrets: readonly string[]
  readonly now: () => number
}

/**
 * Recognizes the browser of the person who holds an unconfirmed account: the one that created it, presented its password,
 * or is signed in. A link to the address that is opened there confirms the address; opened elsewhere, it proves that
 * somebody else owns the address, who then claims the account (TRU-2).
 */
export class AccountHolders {
  readonly #deps: AccountHoldersDeps

  constructor(deps: AccountHoldersDeps) {
    this.#deps = deps
  }

  /** Marks the browser as that of the holder of an account. */
  remember(reply: FastifyReply, userId: string): void {
    const { browserLogins, secret, now } = this.#deps
    const content = JSON.stringify({ userId, expiresAt: now() + LIFETIME_MS })
    browserLogins.setCookie(reply, COOKIE, seal(content, secret, PURPOSE), LIFETIME_MS)
  }

  /** Returns whether a request comes from the browser of the holder of an account. */
  async isHolder(request: FastifyRequest, userId: string): Promise<boolean> {
    if (this.#rememberedId(request) === userId) return true
    return (await this.#deps.browserLogins.find(request))?.userId === userId
  }

  #rememberedId(request: FastifyRequest): string | undefined {
    const { browserLogins, secrets, now } = this.#deps
    const cookie = browserLogins.readCookie(request, COOKIE)
    if (cookie === undefined) return undefined
    try {
      const { userId, expiresAt } = JSON.parse(unseal(cookie, secrets, PURPOSE)) as {
        readonly userId: string
        readonly expiresAt: number
      }
      return expiresAt > now() ? userId : undefined
    } catch {
      return undefined
    }
  }
}
