import { withoutInvisible } from '@glasses-cloud/contract'

/** Marks the beginning of a word in the tokens of most models. */
const WORD_START = '▁'

/** Tokens that stand for no text. */
const SPECIAL = /^<.*>$/

/** Spells phrases with the tokens of a model. */
export class PhraseTokens {
  /** Ids of the tokens. */
  readonly #ids = new Map<string, number>()
  readonly #longest: number
  readonly #marksWords: boolean

  /** @param file the content of `tokens.txt`: a token and its id on each line */
  constructor(file: string) {
    for (const line of file.split('\n')) {
      const [, token, id] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? []
      if (token !== undefined && !SPECIAL.test(token)) this.#ids.set(token, Number(id))
    }
    this.#longest = [...this.#ids.keys()].reduce((longest, { length }) => Math.max(longest, length), 0)
    this.#marksWords = [...this.#ids.keys()].some((token) => token.startsWith(WORD_START))
  }

  /**
   * Returns the tokens of a phrase, as it is or in the case of the model; undefined if they cannot spell it. Of several spellings the most
   * probable one is returned.
   */
  spell(phrase: string): readonly string[] | undefined {
    const start = this.#marksWords ? WORD_START : ''
    for (const form of [phrase, phrase.toLowerCase(), phrase.toUpperCase()]) {
      const words = withoutInvisible(form.normalize('NFC')).split(' ')
      const tokens = this.#segment(words.map((word) => start + word).join(''))
      if (tokens) return tokens
    }
    return undefined
  }

  /** Splits a text into tokens of the lowest total cost. */
  #segment(text: string): readonly string[] | undefined {
    const best: ({ readonly cost: number; readonly from: number } | undefined)[] = [{ cost: 0, from: 0 }]
    for (let end = 1; end <= text.length; end += 1) {
      for (let from = Math.max(0, end - this.#longest); from < end; from += 1) {
        const before = best[from]
        const id = this.#ids.get(text.slice(from, end))
        if (!before || id === undefined) continue
        const cost = before.cost + this.#costOf(id)
        if (cost < (best[end]?.cost ?? Number.POSITIVE_INFINITY)) best[end] = { cost, from }
      }
    }
    if (!best[text.length]) return undefined
    const tokens: string[] = []
    for (let end = text.length; end > 0; end = best[end]?.from ?? 0)
      tokens.unshift(text.slice(best[end]?.from ?? 0, end))
    return tokens
  }

  /**
   * The negative logarithm of the probability of a token. Models are trained with the most probable spelling. Files of tokens have no
   * probabilities, but an order: the most frequent ones come first, and frequencies follow Zipf's law.
   */
  #costOf(id: number): number {
    return Math.log(id + 1) + Math.log(Math.log(this.#ids.size + 1) + 1)
  }
}
