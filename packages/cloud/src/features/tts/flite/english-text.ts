import { passagesOf } from '../passages.ts'
import { UnsupportedSpeechError } from '../text-to-speech.ts'

/** What to do about other languages. */
export const ENGLISH_ONLY =
  'it speaks English only; other languages need TTS_PROVIDER=espeak, elevenlabs or openai'

/** Latin letters that have no decomposition into ASCII, and their usual transcription. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
}

/** Signs that Flite skips, and how they are read. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'euros',
  '£': 'pounds',
  '¥': 'yen',
  '°': 'degrees',
  µ: 'micro',
  '×': 'times',
  '÷': 'divided by',
  '±': 'plus or minus',
}

/** Characters with an ASCII equivalent. */
const PUNCTUATION: readonly (readonly [RegExp, string])[] = [
  [/[‘’ʼ]/g, "'"],
  [/[“”„«»]/g, '"'],
  [/[–—]/g, ', '],
  [/…/g, '...'],
]

/**
 * Splits a text into passages that Flite can pronounce, in ASCII. The first is a single sentence, so that its speech is
 * available early; longer sentences are split between words. A text without words is one blank passage. At worst, for signs
 * that are read out, a passage takes 100 s of speech and 100 MB of memory.
 * @throws UnsupportedSpeechError if it contains letters or digits of another script (TTS-73)
 */
export function splitIntoPassages(text: string): string[] {
  return passagesOf(toAscii(text), 'en').map((each) => each.trim() || ' ')
}

/** @throws UnsupportedSpeechError */
function toAscii(text: string): string {
  const withWords = text
    .replace(/([€£¥])\s?(\d[\d.,]*\d|\d)/g, (_, sign, amount) => `${amount} ${SIGNS[sign]}`)
    .replace(/[€£¥°µ×÷±]/g, (sign) => ` ${SIGNS[sign]} `)
  const withPunctuation = PUNCTUATION.reduce(
    (done, [pattern, replacement]) => done.replace(pattern, replacement),
    withWords,
  )
  const folded = withPunctuation
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, (letter) => {
      const lower = letter.toLowerCase()
      const transcription = LETTERS[lower]
      if (transcription === undefined) return letter
      return lower === letter ? transcription : transcription.toUpperCase()
    })
  if (/[\p{L}\p{N}]/u.test(folded.replace(/\p{ASCII}/gu, '')))
    throw new UnsupportedSpeechError(`The text contains letters that flite cannot pronounce: ${ENGLISH_ONLY}`)
  return folded.replace(/[^\x21-\x7e]+/g, ' ')
}
