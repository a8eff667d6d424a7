/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Whether a text contains a phrase as whole words, in any case and with any punctuation and spaces between them. In scripts without
 * spaces between words it may be anywhere in the text.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  if (UNSPACED.test(phrase)) return wordsOf(text).join('').includes(wordsOf(phrase).join(''))
  return ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(phrase).join(' ')} `)
}

function wordsOf(text: string): string[] {
  const normalized = text.normalize('NFKC').toLowerCase()
  return normalized.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
