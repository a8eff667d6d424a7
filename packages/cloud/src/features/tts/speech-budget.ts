import { createHmac } from 'node:crypto'
import type { SpeechBudgetStore } from './speech-budget-store.ts'

/** The part of the daily characters that one address may use. */
const SHARE_OF_ADDRESS = 10

const DAY_MS = 24 * 60 * 60_000

/** The daily characters of the cloud or of an address are used up. The message is for the client. */
export class SpeechBudgetError extends Error {
  /** Seconds until the next day. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

export interface SpeechBudgetDeps {
  readonly store: SpeechBudgetStore
  /** Characters a day, in all. */
  readonly dailyCharacters: number
  /** Key of the hashes of addresses. */
  readonly secret: string
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * Limits what a paid provider of text-to-speech costs: the characters of a day (UTC) in all, of which one address may
 * use a tenth. All nodes share the budget.
 */
export class SpeechBudget {
  readonly #deps: SpeechBudgetDeps

  constructor(deps: SpeechBudgetDeps) {
    this.#deps = deps
  }

  /**
   * Charges a text.
   * @param address the caller, of whom only a hash of the day is stored
   * @returns a function that refunds it
   * @throws SpeechBudgetError
   */
  async charge(address: string, characters: number): Promise<() => Promise<void>> {
    const { store, dailyCharacters, secret, now } = this.#deps
    const at = now()
    const day = Math.floor(at / DAY_MS)
    const caller = createHmac('sha256', secret)
      .update(`tts ${day} ${address}`)
      .digest('base64url')
      .slice(0, 22)
    const exceeded = await store.charge(day, characters, [
      { caller, limit: Math.ceil(dailyCharacters / SHARE_OF_ADDRESS) },
      { caller: '', limit: dailyCharacters },
    ])
    if (exceeded !== undefined) {
      const whose = exceeded === '' ? 'of this server' : 'of your address'
      const retryAfter = Math.ceil(((day + 1) * DAY_MS - at) / 1000)
      throw new SpeechBudgetError(`The text-to-speech characters ${whose} for today are used up`, retryAfter)
    }
    return () => store.refund(day, characters, [caller, ''])
  }
}
