import { closeFrames } from '@glasses-cloud/contract'
import { EventEmitter } from '#events'
import type { GlassesAdapter } from '../adapter/glasses-adapter.ts'
import { delay } from '../clock.ts'
import { Phone } from '../phone.ts'
import { type PhoneOptions, resolvePhoneOptions } from '../phone-options.ts'
import { type BackoffPolicy, backoffDelay, type CloseInfo } from '../socket/reconnecting-socket.ts'
import { type DeviceCode, SignInDenied } from './device-codes.ts'
import { DeviceLogin, type TokenStorage } from './device-login.ts'
import { LensNotice } from './lens-notice.ts'
import { type PostJson, postJsonTo } from './post-json.ts'

export interface SignedInPhoneOptions extends Omit<PhoneOptions, 'token' | 'credentials'> {
  /** What the user is asked to approve, such as `Even G2`. */
  readonly clientName: string
  readonly storage: TokenStorage
  /** Sends the requests of the sign-in; with `fetch` by default. */
  readonly post?: PostJson
}

/** What a wearer needs to know. */
export type WearingState =
  | { readonly kind: 'starting' }
  /** The user is to approve a code. */
  | { readonly kind: 'code'; readonly userCode: string; readonly address: string }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'worn' }
  /** Ended until `resume` or a tap. */
  | { readonly kind: 'paused'; readonly reason: string }
  /** Repeated by itself. */
  | { readonly kind: 'failed'; readonly reason: string }

interface SignedInPhoneEvents {
  state: [WearingState]
  /** A phone was made, which lasts as long as its token. */
  phone: [Phone]
}

/** Attempts after a failure: a network may start 30 sign-ins within 15 minutes. */
const RETRY: BackoffPolicy = { firstMs: 5_000, maxMs: 60_000, factor: 2, jitter: 0.2 }

const TAP = 'Tap a temple to try again.'

/** Why a phone ended. */
type Ending = { readonly kind: 'login' } | { readonly kind: 'closed'; readonly reason: string }

/**
 * Glasses that sign in by themselves: shows a code on the lens until a user approves it, then is that user's phone, also
 * at the next start, until the login is ended.
 */
export class SignedInPhone extends EventEmitter<SignedInPhoneEvents> {
  readonly #adapter: GlassesAdapter
  readonly #options: SignedInPhoneOptions
  readonly #login: DeviceLogin
  readonly #notice: LensNotice
  readonly #abort = new AbortController()
  #state: WearingState = { kind: 'starting' }
  #resume: (() => void) | undefined
  #endPhone: ((ending: Ending) => void) | undefined
  #running: Promise<void> | undefined

  constructor(adapter: GlassesAdapter, options: SignedInPhoneOptions) {
    super()
    this.#adapter = adapter
    this.#options = options
    const { clock } = this.#phoneDefaults
    this.#login = new DeviceLogin({
      post: options.post ?? postJsonTo(options.url),
      storage: options.storage,
      clock,
    })
    this.#notice = new LensNotice(adapter, () => this.resume())
  }

  get state(): WearingState {
    return this.#state
  }

  /** Starts, and continues until `stop`. Idempotent. */
  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends the connections; the login remains. */
  async stop(): Promise<void> {
    this.#abort.abort()
    this.#endPhone?.({ kind: 'closed', reason: 'stopped' })
    this.resume()
    await this.#running
  }

  /** Continues after a pause, or at once after a failure. */
  resume(): void {
    this.#resume?.()
  }

  /** Ends the login at the cloud, and shows a new code. @throws {Error} if the cloud cannot be reached */
  async signOut(): Promise<void> {
    await this.#login.end()
    this.#endPhone?.({ kind: 'login' })
    this.resume()
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#isStopped) {
      try {
        const ending = await this.#attempt()
        failures = 0
        if (ending?.kind === 'closed') await this.#pause(ending.reason)
        else if (ending) await this.#login.check()
      } catch (error) {
        if (this.#isStopped) break
        if (error instanceof SignInDenied) await this.#pause(error.message)
        else await this.#fail(error, failures++)
      }
    }
    await this.#notice.close().catch(() => {})
  }

  /** Signs in, or wears the glasses with the login there is. */
  async #attempt(): Promise<Ending | undefined> {
    const token = await this.#login.token()
    if (token !== undefined) {
      await this.#notice.close()
      return this.#wear(token)
    }
    await this.#notice.open()
    const { clientName } = this.#options
    await this.#login.signIn(clientName, (code) => this.#showCode(code), this.#abort.signal)
    return undefined
  }

  #showCode({ userCode, address }: DeviceCode): void {
    this.#change({ kind: 'code', userCode, address })
    const page = address.replace(/^https?:\/\//, '')
    this.#notice.show(`Code: ${userCode}\n${page}\n\nEnter the code there to sign in to Glasses Cloud.`)
  }

  /** Is the phone of the user until it ends for good. @throws {Error} if the glasses or the cloud cannot be reached */
  async #wear(token: string): Promise<Ending> {
    this.#change({ kind: 'connecting' })
    const phone = new Phone(this.#adapter, {
      tokenIn: 'query',
      jsonPing: true,
      ...this.#options,
      token,
    })
    const ended = new Promise<Ending>((resolve) => {
      this.#endPhone = resolve
    })
    phone.on('ack', () => this.#change({ kind: 'worn' }))
    phone.on('close', (end) => {
      this.#change({ kind: 'connecting' })
      if (!end.willReconnect) this.#endPhone?.(endingOf(end))
    })
    phone.on('reconnecting', () => void this.#checkLogin())
    this.emit('phone', phone)
    const connecting = phone.connect()
    try {
      return await Promise.race([ended, connecting.then(() => ended)])
    } finally {
      this.#endPhone = undefined
      await phone.disconnect()
      await connecting.catch(() => {})
    }
  }

  /** Browsers do not tell why a connection failed: the login may have ended, or its token expired. */
  async #checkLogin(): Promise<void> {
    const end = this.#endPhone
    const isValid = await this.#login.check().catch(() => true)
    if (!isValid) end?.({ kind: 'login' })
  }

  async #pause(reason: string): Promise<void> {
    const resumed = this.#resumed()
    this.#change({ kind: 'paused', reason })
    await this.#showOnLens(`${reason}\n\n${TAP}`)
    await resumed
  }

  async #fail(error: unknown, failures: number): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    const resumed = this.#resumed()
    this.#change({ kind: 'failed', reason })
    await this.#showOnLens(`${reason}\n\n${TAP}`)
    const { clock, random } = this.#phoneDefaults
    await Promise.race([resumed, delay(clock, backoffDelay(RETRY, failures, random()))])
  }

  /** Shows a text, if the glasses can be reached. */
  async #showOnLens(text: string): Promise<void> {
    try {
      await this.#notice.open()
      this.#notice.show(text)
    } catch {
      // The page says it.
    }
  }

  #resumed(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resume = () => {
        this.#resume = undefined
        resolve()
      }
    })
  }

  get #isStopped(): boolean {
    return this.#abort.signal.aborted
  }

  get #phoneDefaults() {
    return resolvePhoneOptions({ ...this.#options, token: '' })
  }

  #change(state: WearingState): void {
    this.#state = state
    this.emit('state', state)
  }
}

function endingOf({ code, reason, status }: CloseInfo): Ending {
  if (code === closeFrames.LOGGED_OUT.code || status === 401) return { kind: 'login' }
  if (code === closeFrames.GLASSES_REPLACED.code)
    return { kind: 'closed', reason: 'You are wearing other glasses now.' }
  return { kind: 'closed', reason: `The cloud ended the connection: ${reason || code}.` }
}
