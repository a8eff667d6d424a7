import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { COOKIE_PREFIX, cookieName, SESSION_COOKIE, type UserCaller } from '../../http/auth/index.ts'
import { fault } from '../../http/fault.ts'
import { basePathOf, readCookie } from '../../http/request-origin.ts'
import {
  hashSecret,
  isRevoked,
  LOGIN_LIFETIME_MS,
  type Login,
  type LoginStore,
  type User,
} from '../../identity/index.ts'
import type { KnownBrowserStore } from './known-browser-store.ts'

/** Marks a session that ends with the browser, so that it is not extended. */
const NOT_REMEMBERED_COOKIE = `${COOKIE_PREFIX}.dont_remember`

/** Recognizes a browser where users signed in before. */
const BROWSER_COOKIE = `${COOKIE_PREFIX}.browser`

/** How long a browser is recognized after a sign-in. */
const KNOWN_BROWSER_LIFETIME_MS = 180 * 24 * 60 * 60_000

/** Names a sign-in that waits for a code. */
export const PENDING_COOKIE = `${COOKIE_PREFIX}.two_factor`

/** Lifetime of a session that ends with the browser. */
const NOT_REMEMBERED_LIFETIME_MS = 24 * 60 * 60_000

/** Time after which a session that is used is extended. */
const EXTENSION_MS = 24 * 60 * 60_000

/** Age of a sign-in after which no way to sign in can be added, so that a stolen session does not become permanent. */
const RECENT_MS = 60 * 60_000

export interface BrowserLoginsDeps {
  readonly logins: LoginStore
  readonly knownBrowsers: KnownBrowserStore
  readonly publicUrl: () => URL
  readonly now: () => number
}

/** Returns whether the user of a login still has access by it. */
export const hasAccess = (login: Login, user: User): boolean =>
  user.suspendedAt === undefined && !isRevoked(login, user)

/** Sessions of browsers: logins whose token is in a cookie. */
export class BrowserLogins {
  readonly #deps: BrowserLoginsDeps

  constructor(deps: BrowserLoginsDeps) {
    this.#deps = deps
  }

  /**
   * Creates a login and sets the session cookie.
   * @param options.isRemembered whether the browser keeps the session when it closes; default: true
   * @param options.confirm checks, once the login exists, that what permitted it is still valid; an error removes it.
   *   Whatever ends that permission removes the user's logins afterwards, so that none outlasts it.
   * @returns the session token
   * @throws Fault `ACCOUNT_SUSPENDED`, or the error of `confirm`
   */
  async start(
    user: User,
    request: FastifyRequest,
    reply: FastifyReply,
    {
      isRemembered = true,
      confirm,
    }: { readonly isRemembered?: boolean; readonly confirm?: () => Promise<void> } = {},
  ): Promise<string> {
    if (user.suspendedAt !== undefined) throw fault('ACCOUNT_SUSPENDED')
    const { logins, now } = this.#deps
    const token = randomBytes(24).toString('base64url')
    const origin = { ipAddress: request.ip, userAgent: request.headers['user-agent'], isBrowser: true }
    const lifetimeMs = isRemembered ? LOGIN_LIFETIME_MS : NOT_REMEMBERED_LIFETIME_MS
    const options = { sessionToken: token, lifetimeMs, endsWithBrowser: !isRemembered }
    const login = await logins.create(user.id, origin, now(), options).catch(async (error: unknown) => {
      // Fails if the account was deleted meanwhile, which ends the permission as well.
      await confirm?.()
      throw error
    })
    try {
      await confirm?.()
    } catch (error) {
      await logins.remove(user.id, login.id)
      throw error
    }
    await this.remember(user, request, reply)
    // A sign-in that was abandoned for this one must not receive the codes that are entered from now on.
    if (this.readCookie(request, PENDING_COOKIE) !== undefined) this.setCookie(reply, PENDING_COOKIE, '', 0)
    this.setRemembered(request, reply, isRemembered)
    this.#setSessionCookie(reply, token, isRemembered)
    return token
  }

  /**
   * Recognizes the browser as one of a user from now on. Its cookie is replaced, so that nobody who placed or read the
   * earlier one shares it.
   */
  async remember({ id }: User, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { knownBrowsers, now } = this.#deps
    const secret = randomBytes(24).toString('base64url')
    const earlier = this.readCookie(request, BROWSER_COOKIE)
    await knownBrowsers.add(
      id,
      { hash: hashSecret(secret), earlierHash: earlier === undefined ? undefined : hashSecret(earlier) },
      now() + KNOWN_BROWSER_LIFETIME_MS,
    )
    this.setCookie(reply, BROWSER_COOKIE, secret, KNOWN_BROWSER_LIFETIME_MS)
  }

  /**
   * Identifies the browser of a request if a user signed in there before.
   * @param user id or normalized e-mail address
   */
  async knownBrowser(request: FastifyRequest, user: string): Promise<string | undefined> {
    const cookie = this.readCookie(request, BROWSER_COOKIE)
    if (cookie === undefined) return undefined
    const hash = hashSecret(cookie)
    return (await this.#deps.knownBrowsers.isKnown(hash, user, this.#deps.now())) ? hash : undefined
  }

  /** Finds the login of the session cookie; its user may have lost access since, see {@link hasAccess}. */
  async find(request: FastifyRequest): Promise<Login | undefined> {
    const token = this.tokenOf(request)
    return token === undefined ? undefined : this.#deps.logins.findBySessionToken(token, this.#deps.now())
  }

  /**
   * Requires the session cookie of the caller's own login, for acts that a core token alone does not permit.
   * @returns the login
   * @throws Fault `UNAUTHORIZED`
   */
  async requireOwn(request: FastifyRequest, { loginId }: UserCaller): Promise<Login> {
    const login = await this.find(request)
    if (login === undefined || login.id !== loginId) throw fault('UNAUTHORIZED')
    return login
  }

  /**
   * Requires a recent sign-in. The login of a device does not count: whoever has the session could approve a device of
   * their own.
   * @param options.acceptsDevices whether the login of a device counts as the sign-in of the user who approved it
   * @throws Fault `RECENT_SIGN_IN_REQUIRED` unless the caller signed in within the last hour
   */
  async requireRecent(
    caller: UserCaller,
    { acceptsDevices = false }: { readonly acceptsDevices?: boolean } = {},
  ): Promise<void> {
    if (!(await this.isRecent(caller, { acceptsDevices }))) throw fault('RECENT_SIGN_IN_REQUIRED')
  }

  /** Returns whether {@link requireRecent} accepts a caller. */
  async isRecent(
    caller: UserCaller,
    { acceptsDevices = false }: { readonly acceptsDevices?: boolean } = {},
  ): Promise<boolean> {
    const login = await this.loginOf(caller)
    const signedInAt = login?.isDevice && !acceptsDevices ? undefined : login?.signedInAt
    return signedInAt !== undefined && this.#deps.now() - signedInAt <= RECENT_MS
  }

  /** Returns the login of a caller; undefined if the credential belongs to none. */
  async loginOf({ loginId }: UserCaller): Promise<Login | undefined> {
    return loginId === undefined ? undefined : this.#deps.logins.findLive(loginId, this.#deps.now())
  }

  /** Extends a session and its cookie, once a day. @returns the login as it is now */
  async extend(login: Login, request: FastifyRequest, reply: FastifyReply): Promise<Login> {
    const { logins, now } = this.#deps
    const token = this.tokenOf(request)
    const isDue = login.expiresAt - LOGIN_LIFETIME_MS + EXTENSION_MS <= now()
    if (token === undefined || !isDue || login.endsWithBrowser) return login
    const extended = await logins.extend(login.id, now())
    if (extended === undefined) return login
    this.#setSessionCookie(reply, token)
    return extended
  }

  /** Ends the session of a request, and deletes its cookies. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const login = await this.find(request)
    if (login !== undefined) await this.#deps.logins.remove(login.userId, login.id)
    this.forget(reply)
    this.setCookie(reply, NOT_REMEMBERED_COOKIE, '', 0)
  }

  /** Deletes the session cookie only: its login remains until it is ended or expires. */
  forget(reply: FastifyReply): void {
    this.setCookie(reply, SESSION_COOKIE, '', 0)
  }

  /** Returns the session token of the cookie. */
  tokenOf(request: FastifyRequest): string | undefined {
    return this.readCookie(request, SESSION_COOKIE)
  }

  /** Records whether the session that follows outlives the browser. */
  setRemembered(request: FastifyRequest, reply: FastifyReply, isRemembered: boolean): void {
    if (!isRemembered) this.setCookie(reply, NOT_REMEMBERED_COOKIE, 'true', undefined)
    else if (!this.isRemembered(request)) this.setCookie(reply, NOT_REMEMBERED_COOKIE, '', 0)
  }

  isRemembered(request: FastifyRequest): boolean {
    return this.readCookie(request, NOT_REMEMBERED_COOKIE) === undefined
  }

  /** Returns a cookie that {@link setCookie} set. */
  readCookie({ headers }: FastifyRequest, name: string): string | undefined {
    return readCookie(headers.cookie, cookieName(name, this.#deps.publicUrl()))
  }

  /** Sets a cookie that scripts cannot read. A lifetime of 0 deletes it; without one it ends with the browser. */
  setCookie(reply: FastifyReply, name: string, value: string, lifetimeMs: number | undefined): void {
    const publicUrl = this.#deps.publicUrl()
    const isSecure = publicUrl.protocol === 'https:'
    const maxAge = lifetimeMs === undefined ? '' : `Max-Age=${Math.floor(lifetimeMs / 1000)}; `
    const attributes = `${maxAge}Path=${basePathOf(publicUrl) || '/'}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
    void reply.header(
      'set-cookie',
      `${cookieName(name, publicUrl)}=${encodeURIComponent(value)}; ${attributes}`,
    )
  }

  #setSessionCookie(reply: FastifyReply, token: string, isRemembered = true): void {
    this.setCookie(reply, SESSION_COOKIE, token, isRemembered ? LOGIN_LIFETIME_MS : undefined)
  }
}
