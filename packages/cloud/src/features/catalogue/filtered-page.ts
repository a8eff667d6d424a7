import type { Page } from '../../db/index.ts'

/** Entries read beyond the limit at a time, so that a strict filter does not read entries one by one. */
const LOOKAHEAD = 100

/**
 * Returns a page of the entries that pass the filter, filled to its limit.
 * @param fetch reads a page of the unfiltered list, in order
 */
export async function filteredPage<Entry extends { readonly packageName: string }>(
  fetch: (page: Page) => Promise<Entry[]>,
  page: Page,
  keep: (entry: Entry) => boolean,
): Promise<Entry[]> {
  const { limit } = page
  if (limit === undefined) return (await fetch(page)).filter(keep)
  const kept: Entry[] = []
  let { after } = page
  while (true) {
    const entries = await fetch({ limit: limit + LOOKAHEAD, after })
    kept.push(...entries.filter(keep))
    after = entries.at(-1)?.packageName
    if (kept.length >= limit || entries.length < limit + LOOKAHEAD) return kept.slice(0, limit)
  }
}
