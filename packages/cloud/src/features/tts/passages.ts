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
  const passages: string[] = []
  let passage = ''
  for (const piece of sentencesOf(text, language).flatMap(splitLongSentence)) {
    const isComplete = passages.length === 0 || passage.length + piece.length > MAX_PASSAGE_CHARACTERS
    if (passage !== '' && isComplete) {
      passages.push(passage)
      passage = ''
    }
    passage += piece
  }
  return [...passages, passage]
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

/** Splits a sentence after a comma or between words where it exceeds the length of a passage. */
function splitLongSentence(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_PASSAGE_CHARACTERS) {
    const start = rest.slice(0, MAX_PASSAGE_CHARACTERS)
    const clause = [...start.matchAll(CLAUSE_END)].at(-1)?.index ?? -1
    const end = clause > MAX_PASSAGE_CHARACTERS / 3 ? clause + 1 : start.lastIndexOf(' ') + 1
    const length = end || cutText(rest, MAX_PASSAGE_CHARACTERS).length
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
