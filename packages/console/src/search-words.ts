/** Returns whether each word of a search occurs in a text, in any order and case. */
export function containsWords(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
