import { UnsupportedSpeechError } from '../text-to-speech.ts'

/** What to do about other languages. */
export const ENGLISH_ONLY =
  'it speaks English only; other languages need TTS_PROVIDER=espeak, elevenlabs or openai'

/** Maximum characters of a passage: about 10 s of speech; 100 s and 100 MB of memory at worst, for signs that are read out. */
const MAX_PASSAGE_CHARACTERS = 150

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

/** The end of a title or an initial, after which a sentence continues. */
const ABBREVIATION = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|No|vs|[A-Z])\.\s*$/

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * Splits a text into passages that Flite can pronounce, in ASCII. The first is a single sentence, so that its speech is
 * available early; longer sentences are split between words. A text without words is one blank passage.
 * @throws UnsupportedSpeechError if it contains letters or digits of another script (TTS-73)
 */
export function splitIntoPassages(text: string): string[] {
  const ascii = toAscii(text)
  const passages: string[] = []
  let passage = ''
  for (const piece of sentencesOf(ascii).flatMap(splitLongSentence)) {
    const isComplete = passages.length === 0 || passage.length + piece.length > MAX_PASSAGE_CHARACTERS
    if (passage !== '' && isComplete) {
      passages.push(passage)
      passage = ''
    }
    passage += piece
  }
  return [...passages, passage].map((each) => each.trim() || ' ')
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

/** The sentences of a text, with the spaces between them. */
function sentencesOf(text: string): string[] {
  const found: string[] = []
  let sentence = ''
  for (const { segment } of sentences.segment(text)) {
    sentence += segment
    if (ABBREVIATION.test(segment)) continue
    found.push(sentence)
    sentence = ''
  }
  return sentence === '' ? found : [...found, sentence]
}

/** Splits a sentence after a comma or between words where it exceeds the length of a passage. */
function splitLongSentence(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_PASSAGE_CHARACTERS) {
    const start = rest.slice(0, MAX_PASSAGE_CHARACTERS)
    const clause = Math.max(...[', ', '; ', ': '].map((mark) => start.lastIndexOf(mark)))
    const end = clause > MAX_PASSAGE_CHARACTERS / 3 ? clause + 1 : start.lastIndexOf(' ') + 1
    pieces.push(rest.slice(0, end || MAX_PASSAGE_CHARACTERS))
    rest = rest.slice(end || MAX_PASSAGE_CHARACTERS)
  }
  return [...pieces, rest]
}
