import type { UserRef } from '../../personal-data.ts'

/** Replaces id and e-mail address of a user, in any case, in every text of a JSON value. */
export function withoutUser(value: unknown, { id, email }: UserRef, pseudonym: string): unknown {
  if (typeof value === 'string') return replaceWord(replaceWord(value, id, pseudonym), email, pseudonym)
  if (Array.isArray(value)) return value.map((entry) => withoutUser(entry, { id, email }, pseudonym))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, withoutUser(entry, { id, email }, pseudonym)]),
  )
}

/** Replaces a word, but not where it is a part of a longer address. */
function replaceWord(text: string, word: string, replacement: string): string {
  const pattern = `(?<![\\p{L}\\p{N}._%+-])${word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`
  return text.replaceAll(new RegExp(pattern, 'giu'), () => replacement)
}
