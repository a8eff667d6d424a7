import { hashEmail } from './email.ts'
import type { GuessStore } from './guess-store.ts'

/** How often a secret may be guessed. */
export interface GuessLimit {
  /** What the attempts are about, such as `sign-in`. */
  readonly purpose: string
  /** Whose secret it is, or who guesses: an e-mail address, a user id, an address. */
  readonly subject: string
  readonly attempts: number
  readonly windowMs: number
}

/** Limits attempts to guess secrets, on all nodes together. Stores no addresses, but keyed hashes of them. */
export class GuessLimiter {
  readonly #store: GuessStore
  readonly #secret: string
  readonly #now: () => number

  constructor(store: GuessStore, secret: string, now: () => number) {
    this.#store = store
    this.#secret = secret
    this.#now = now
  }

  /**
   * Counts an attempt before it is evaluated, so that parallel attempts cannot exceed the limit.
   * @returns undefined if the attempt is allowed, otherwise the seconds to wait
   */
  async attempt(...limits: readonly GuessLimit[]): Promise<number | undefined> {
    const now = this.#now()
    let waitMs = 0
    for (const limit of limits) {
      const { attempts, resetsAt } = await this.#store.count(this.#keyOf(limit), limit.windowMs, now)
      if (attempts > limit.attempts) waitMs = Math.max(waitMs, resetsAt - now)
    }
    return waitMs === 0 ? undefined : toSeconds(waitMs)
  }

  /** @returns the seconds to wait if more attempts than the limit were counted, without counting one */
  async exceeds(limit: GuessLimit): Promise<number | undefined> {
    const now = this.#now()
    const counted = await this.#store.find(this.#keyOf(limit), now)
    return counted !== undefined && counted.attempts > limit.attempts
      ? toSeconds(counted.resetsAt - now)
      : undefined
  }

  /** Takes back an attempt that was not a wrong guess; earlier ones still count. */
  async uncount(...limits: readonly GuessLimit[]): Promise<void> {
    for (const limit of limits) await this.#store.uncount(this.#keyOf(limit))
  }

  /** Forgets the attempts after a success. */
  async succeeded(...limits: readonly GuessLimit[]): Promise<void> {
    for (const limit of limits) await this.#store.clear(this.#keyOf(limit))
  }

  #keyOf({ purpose, subject }: GuessLimit): string {
    return hashEmail(`${purpose}:${subject}`, this.#secret)
  }
}

const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000))
