import { cutText } from '@glasses-cloud/contract'

/** Maximum characters of a passage: about 10 s of speech. */
const MAX_PASSAGE_CHARACTERS = 150

/** The end of a title or an initial, after which a sentence continues. */
const ABBREVIATION = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|\p{L})\.\s*$/u

/** Marks after which a long sentence is split, as written in many scripts. */
const CLAUSE_END = /[,;:](?=\s)|[、，；：،؛]/g

/**
 * Splits a text into passages for a voice. The first is a single sentence, so that its speech is available early; further
 * ones are filled with whole sentences, and longer sentences are split between words. No character is lost.
 * @param language of the text, a code
 */
export function passagesOf(text: string, language: string): string[] {
  const [first = '', ...rest] = piecesOf(text, language, MAX_PASSAGE_CHARACTERS)
  return [first, ...filled(rest, MAX_PASSAGE_CHARACTERS)]
}

/**
 * Splits a text into parts of at most so many characters, at the ends of sentences where possible. No character is lost.
 * @param language of the text, a code; `und` if it is unknown
 */
export function partsOf(text: string, language: string, maxCharacters: number): string[] {
  return filled(piecesOf(text, language, maxCharacters), maxCharacters)
}

/** Joins pieces up to a length. */
function filled(pieces: readonly string[], maxCharacters: number): string[] {
  const parts: string[] = []
  for (const piece of pieces) {
    const part = `${parts.at(-1) ?? ''}${piece}`
    if (part.length > maxCharacters || parts.length === 0) parts.push(piece)
    else parts[parts.length - 1] = part
  }
  return parts
}

function piecesOf(text: string, language: string, maxCharacters: number): string[] {
  return sentencesOf(text, language).flatMap((sentence) => splitLongSentence(sentence, maxCharacters))
}

/** The sentences of a text, with the spaces between them. */
function sentencesOf(text: string, language: string): string[] {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' })
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

/** Splits a sentence after a comma or between words where it exceeds a length. */
function splitLongSentence(sentence: string, maxCharacters: number): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > maxCharacters) {
    const start = rest.slice(0, maxCharacters)
    const clause = [...start.matchAll(CLAUSE_END)].at(-1)?.index ?? -1
    const end = clause > maxCharacters / 3 ? clause + 1 : start.lastIndexOf(' ') + 1
    const length = end || cutText(rest, maxCharacters).length
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
