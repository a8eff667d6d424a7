import type { Clock } from '../clock.ts'
import { awaitApproval, type DeviceCode, readTokens, startDeviceSignIn, type Tokens } from './device-codes.ts'
import type { PostJson } from './post-json.ts'

/** Where the tokens of a login are kept between visits. */
export interface TokenStorage {
  /** The stored text; an empty one if there is none. */
  load(): Promise<string>
  save(text: string): Promise<void>
}

export interface DeviceLoginDeps {
  readonly post: PostJson
  readonly storage: TokenStorage
  readonly clock: Clock
}

/** A login of this device at the cloud: started with a code, kept in a storage, renewed before it expires. */
export class DeviceLogin {
  readonly #deps: DeviceLoginDeps
  #tokens: Tokens | undefined
  /** The renewal in progress. */
  #renewing: Promise<void> | undefined

  constructor(deps: DeviceLoginDeps) {
    this.#deps = deps
  }

  /**
   * The core token of the login; undefined if there is none, or if it has ended.
   * @throws {Error} if the storage or the cloud cannot be reached
   */
  async token(): Promise<string | undefined> {
    this.#tokens ??= parseTokens(await this.#deps.storage.load())
    if (this.#tokens && this.#deps.clock.now() >= this.#tokens.renewAt) await this.#renew(this.#tokens)
    return this.#tokens?.coreToken
  }

  /**
   * Checks the login at the cloud, and renews its token if the cloud no longer accepts it.
   * @returns whether the token is the same and accepted
   * @throws {Error} if the cloud cannot be reached
   */
  async check(): Promise<boolean> {
    const tokens = this.#tokens
    if (!tokens) return false
    const { status } = await this.#deps.post('/api/auth/refresh', {}, tokens.coreToken)
    if (status === 200) return true
    if (status !== 401) throw new Error(`The cloud did not check the sign-in (status ${status}).`)
    await this.#renew(tokens)
    return false
  }

  /**
   * Signs in with a code that the user approves in a browser. A code that expires is replaced.
   * @param onCode shows a code
   * @throws {SignInDenied} if the user denied it
   * @throws {Error} if the cloud cannot be reached, or `signal` ended it
   */
  async signIn(clientName: string, onCode: (code: DeviceCode) => void, signal: AbortSignal): Promise<void> {
    for (;;) {
      const code = await startDeviceSignIn(this.#deps, clientName)
      signal.throwIfAborted()
      onCode(code)
      const tokens = await awaitApproval(this.#deps, code, signal)
      if (tokens) return this.#keep(tokens)
    }
  }

  /** Forgets the tokens. The login itself ends at the cloud, in the account of the user. */
  async forget(): Promise<void> {
    this.#tokens = undefined
    await this.#deps.storage.save('')
  }

  /** Ends the login at the cloud, and forgets it. @throws {Error} if the cloud cannot be reached */
  async end(): Promise<void> {
    const tokens = this.#tokens
    if (tokens) await this.#deps.post('/api/auth/logout', {}, tokens.coreToken)
    await this.forget()
  }

  /** Renews tokens once, whoever asks meanwhile. */
  async #renew(tokens: Tokens): Promise<void> {
    if (tokens !== this.#tokens) return
    this.#renewing ??= this.#exchange(tokens).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Replaces the tokens, which may be repeated if the response is lost; forgets them if the login has ended. */
  async #exchange({ refreshToken }: Tokens): Promise<void> {
    const { clock, post } = this.#deps
    const { status, body } = await post('/api/auth/refresh', { refreshToken })
    if (status === 401) return this.forget()
    const tokens = status === 200 ? readTokens(body, clock.now()) : undefined
    if (!tokens) throw new Error(`The cloud did not renew the sign-in (status ${status}).`)
    await this.#keep(tokens)
  }

  async #keep(tokens: Tokens): Promise<void> {
    this.#tokens = tokens
    await this.#deps.storage.save(JSON.stringify(tokens))
  }
}

/** Reads stored tokens; undefined if the text is none of ours. */
function parseTokens(text: string): Tokens | undefined {
  try {
    const { coreToken, refreshToken, renewAt } = JSON.parse(text)
    const isComplete = typeof coreToken === 'string' && typeof refreshToken === 'string'
    return isComplete && typeof renewAt === 'number' ? { coreToken, refreshToken, renewAt } : undefined
  } catch {
    return undefined
  }
}
