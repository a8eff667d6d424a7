import type { Logger } from 'pino'
import { type CredentialTable, type LastUseStore, USE_PRECISION_MS } from './last-use-store.ts'
import { toAddress } from './login-store.ts'

/** Uses that wait to be stored; while the database is too slow, further ones are dropped. */
const MAX_WAITING = 1_000

/** Credentials that are remembered because their use was stored in the last minute. */
const MAX_RECENT = 10_000

/** An API key, a personal access token or a login. */
export interface Credential {
  readonly table: CredentialTable
  readonly id: string
}

interface WaitingUse extends Credential {
  readonly at: number
  readonly address: string | undefined
}

export interface CredentialUsesDeps {
  readonly store: Pick<LastUseStore, 'record'>
  readonly now: () => number
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Records when and from which address credentials are used, at most once a minute for each. Requests do not wait for it,
 * and none fails because of it: a use that cannot be stored is lost.
 */
export class CredentialUses {
  readonly #deps: CredentialUsesDeps
  /** Times of the uses that were recorded last, the oldest first. */
  readonly #recent = new Map<string, number>()
  readonly #waiting: WaitingUse[] = []
  #writing: Promise<void> | undefined
  #isFailing = false

  constructor(deps: CredentialUsesDeps) {
    this.#deps = deps
  }

  /** Records the use of a credential by a client at an address. */
  record(credential: Credential, address: string): void {
    const { table, id } = credential
    const key = `${table} ${id}`
    const at = this.#deps.now()
    const recorded = this.#recent.get(key)
    if (recorded !== undefined && at < recorded + USE_PRECISION_MS) return
    if (this.#waiting.length >= MAX_WAITING) return
    this.#recent.delete(key)
    this.#recent.set(key, at)
    this.#forgetOldest()
    this.#waiting.push({ table, id, at, address: toAddress(address) })
    this.#writing ??= this.#write()
  }

  /** Resolves once the recorded uses are stored. */
  async flush(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    const { store, log } = this.#deps
    for (let use = this.#waiting.shift(); use !== undefined; use = this.#waiting.shift()) {
      try {
        await store.record(use.table, use.id, use)
        this.#isFailing = false
      } catch (err) {
        if (!this.#isFailing) log.warn({ err }, 'identity: the last use of credentials cannot be stored')
        this.#isFailing = true
      }
    }
    this.#writing = undefined
  }

  #forgetOldest(): void {
    for (const key of this.#recent.keys()) {
      if (this.#recent.size <= MAX_RECENT) return
      this.#recent.delete(key)
    }
  }
}
