import { foldText } from '@glasses-cloud/contract'

/** Returns whether each word of a search occurs in a text, in any order, case and form. */
export function containsWords(text: string, words: string): boolean {
  const folded = foldText(text)
  return foldText(words)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
