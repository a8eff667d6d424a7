/** A word of the tiny models: a tone that stands for it, and the two tokens that spell it. */
export interface ToneWord {
  readonly word: string
  /** In hertz. */
  readonly tone: number
  /** The first is recognized at the start of the tone, the second 80 ms later. `▁` starts a word. */
  readonly tokens: readonly [string, string]
}

/** A language of three words. */
export interface ToneLanguage {
  readonly code: string
  readonly words: readonly ToneWord[]
}

// All tones differ by a factor of 1.4 or more, which is five mel bins at the lowest, and none is a multiple of another.

export const ENGLISH: ToneLanguage = {
  code: 'en',
  words: [
    { word: 'alpha', tone: 450, tokens: ['▁al', 'pha'] },
    { word: 'bravo', tone: 1000, tokens: ['▁bra', 'vo'] },
    { word: 'charlie', tone: 2200, tokens: ['▁char', 'lie'] },
  ],
}

export const GERMAN: ToneLanguage = {
  code: 'de',
  words: [
    { word: 'eins', tone: 650, tokens: ['▁ei', 'ns'] },
    { word: 'zwei', tone: 1450, tokens: ['▁zw', 'ei'] },
    { word: 'drei', tone: 3100, tokens: ['▁dr', 'ei'] },
  ],
}

/** The languages that the tiny model of the type SenseVoice tells apart. */
export const ENGLISH_PAIR = { code: 'en', words: ENGLISH.words.slice(0, 2) } as const satisfies ToneLanguage

export const JAPANESE_PAIR = {
  code: 'ja',
  words: [
    { word: 'いち', tone: 650, tokens: ['い', 'ち'] },
    { word: 'さん', tone: 1450, tokens: ['さ', 'ん'] },
  ],
} as const satisfies ToneLanguage

/** The token that stands for no token. */
const BLANK = '<blk>'

/** The tokens of words, each once, after `before`. The index of a token is its id. */
export function tokensOf(words: readonly ToneWord[], before: readonly string[] = [BLANK]): readonly string[] {
  return [...new Set([...before, ...words.flatMap(({ tokens }) => tokens)])]
}

/** The content of `tokens.txt`: one token a line, with its id. */
export function tokensFile(tokens: readonly string[]): string {
  return tokens.map((token, id) => `${token} ${id}\n`).join('')
}

/** A line of the file of keywords: tokens of a sequence of words, and the name under which it is reported. */
export function keywordLine(language: ToneLanguage, spoken: readonly string[]): string {
  const tokens = spoken.flatMap((word) => language.words.find((known) => known.word === word)?.tokens ?? [])
  return `${tokens.join(' ')} @${spoken.join('_')}\n`
}
