import { foldText } from '@glasses-cloud/contract'

/** Something that can be found. */
export interface Candidate {
  readonly title: string
  /** Other words by which it is found. */
  readonly words: string
}

/** Candidates whose texts are compared, folded. */
export interface Prepared<Entry extends Candidate> {
  readonly entry: Entry
  readonly title: string
  readonly text: string
}

/** Prepares candidates once for many searches. */
export function prepare<Entry extends Candidate>(entries: readonly Entry[]): Prepared<Entry>[] {
  return entries.map((entry) => {
    const title = foldText(entry.title)
    return { entry, title, text: `${title} ${foldText(entry.words)}` }
  })
}

/**
 * Returns the best matches, in which each word of the search begins a word, or is a part of one: first those whose title
 * begins with the search, then those where a word of the title does.
 */
export function rank<Entry extends Candidate>(
  prepared: readonly Prepared<Entry>[],
  search: string,
  limit: number,
): Entry[] {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found: { readonly entry: Entry; readonly score: number }[] = []
  for (const { entry, title, text } of prepared) {
    if (!words.every((word) => text.includes(word))) continue
    found.push({ entry, score: scoreOf(title, words) })
  }
  return found
    .sort((left, right) => left.score - right.score || left.entry.title.localeCompare(right.entry.title))
    .slice(0, limit)
    .map(({ entry }) => entry)
}

function scoreOf(title: string, [first = '', ...others]: readonly string[]): number {
  if (title.startsWith(first)) return title.length === first.length && others.length === 0 ? 0 : 1
  if (title.includes(` ${first}`)) return 2
  return title.includes(first) ? 3 : 4
}
