import { type Static, Type } from 'typebox'
import { regionalLanguage } from './languages.ts'
import { foldText } from './text.ts'

/** Maximum number of wake words of an app, and of characters of one. */
export const WAKE_WORD_LIMITS = { count: 10, minCharacters: 2, maxCharacters: 60 } as const

/** Language of wake words that name none, as of a `transcription` without a language. */
export const DEFAULT_WAKE_WORD_LANGUAGE = 'en-US'

/** Schema of a phrase for which an app listens with the stream `wake_word`. */
export const wakeWord = Type.Object(
  {
    phrase: Type.String({
      minLength: WAKE_WORD_LIMITS.minCharacters,
      maxLength: WAKE_WORD_LIMITS.maxCharacters,
      pattern: '^[\\p{L}\\p{M}\\u200c\\u200d]+( [\\p{L}\\p{M}\\u200c\\u200d]+)*$',
      description: 'Letters with their marks and joiners, and single spaces between words',
    }),
    language: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,4}$',
        description: `In which the phrase is spoken; default ${DEFAULT_WAKE_WORD_LANGUAGE}`,
      }),
    ),
  },
  { title: 'WakeWord', additionalProperties: false },
)

/** A phrase for which an app listens. */
export type WakeWord = Static<typeof wakeWord>

/** The language of a wake word: a canonical tag with a region, such as `en-US`. */
export function wakeWordLanguage({ language = DEFAULT_WAKE_WORD_LANGUAGE }: WakeWord): string {
  return regionalLanguage(language) ?? language
}

/** Returns a sentence for each wake word that repeats another one, in any case and form. */
export function findRepeatedWakeWords(wakeWords: readonly WakeWord[]): string[] {
  const keys = wakeWords.map((entry) => `${wakeWordLanguage(entry)} ${foldText(entry.phrase)}`)
  return keys.flatMap((key, index) => {
    const first = keys.indexOf(key)
    return first < index ? [`wakeWords[${index}].phrase repeats wakeWords[${first}].phrase`] : []
  })
}
