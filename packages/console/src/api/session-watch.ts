import { cloudPath } from '../base-path.ts'

/** The user of this page. */
export interface SessionUser {
  readonly id: string
  readonly email: string
}

/** Requests that end the session of this browser on purpose: nobody is asked to sign in again. */
const ENDING_PATHS: ReadonlySet<string> = new Set([
  '/api/auth/sign-out',
  '/api/auth/logout-everywhere',
  '/api/account/request-deletion',
])

/** Requests that sign in: 401 is their answer to a wrong password, code or passkey. */
const SIGN_IN_PATH = /^\/api\/auth\/(?:sign-in|two-factor\/verify|passkeys\/sign-in)/

type Read = () => Promise<SessionUser | null>

/**
 * Notices that the session of this browser ended elsewhere, in any tab. Requests that were rejected for it wait until the
 * user has signed in again and are then repeated, so that pages keep what they show and what was typed.
 */
export class SessionWatch {
  readonly #read: Read
  readonly #reloadPage: () => void
  readonly #listeners = new Set<() => void>()
  #user: SessionUser | undefined
  #ended: PromiseWithResolvers<void> | undefined
  #reading: Promise<SessionUser | null | undefined> | undefined

  /**
   * @param read reads the session from the cloud
   * @param reloadPage loads everything afresh, because another user signed in
   */
  constructor(read: Read, reloadPage: () => void) {
    this.#read = read
    this.#reloadPage = reloadPage
  }

  /** The user who has to sign in again; undefined while the session lasts. */
  get endedFor(): SessionUser | undefined {
    return this.#ended === undefined ? undefined : this.#user
  }

  /** Calls back when {@link endedFor} changes. @returns a function that ends that */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Records who is signed in. For another user than before, the page is loaded afresh. */
  setUser(user: SessionUser): void {
    if (this.#user === undefined || this.#user.id === user.id) this.#user = { id: user.id, email: user.email }
    else this.#reloadPage()
  }

  /** Forgets the user, who left on purpose. */
  forget(): void {
    this.#user = undefined
    this.#resume()
  }

  /** Resolves with true if the session of the user has ended, with false if there was none, or it goes on. */
  async hasEnded(): Promise<boolean> {
    if (this.#user === undefined) return false
    const user = this.#ended === undefined ? await this.#readOnce() : undefined
    // Another request may have been first.
    if (user === null && this.#user !== undefined && this.#ended === undefined) {
      this.#ended = Promise.withResolvers()
      this.#notify()
    }
    return this.#ended !== undefined
  }

  /** Resolves when the user has signed in again. */
  async resumed(): Promise<void> {
    await this.#ended?.promise
  }

  /** Looks who is signed in now: the same user goes on, for another one the page is loaded afresh. */
  async recheck(): Promise<void> {
    if (this.#user === undefined) return
    const user = await this.#readOnce()
    if (user === null || user === undefined) return
    if (user.id === this.#user?.id) this.#resume()
    else this.#reloadPage()
  }

  /** Sends a request; if the session has ended, again after the next sign-in. */
  async fetch(request: Request, send: (request: Request) => Promise<Response> = fetch): Promise<Response> {
    const pathname = cloudPath(request.url)
    if (SIGN_IN_PATH.test(pathname)) return send(request)
    const repeated = request.clone()
    const response = await send(request)
    if (response.ok && ENDING_PATHS.has(pathname)) this.forget()
    if (response.status !== 401 || !(await this.hasEnded())) return response
    await this.resumed()
    return send(repeated)
  }

  /** Concurrent callers share one request. @returns undefined if the cloud cannot be reached */
  #readOnce(): Promise<SessionUser | null | undefined> {
    this.#reading ??= this.#read()
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined
      })
    return this.#reading
  }

  #resume(): void {
    const ended = this.#ended
    if (ended === undefined) return
    this.#ended = undefined
    ended.resolve()
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
