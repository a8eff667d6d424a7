import type { Page } from '../../db/index.ts'

/** Entries fetched at a time beyond the wanted ones, so that a filter that keeps little does not ask one by one. */
const CHUNK = 100

/**
 * A page of the entries that `keep` keeps, filled to its limit: pages are cut after filtering, not before.
 * @param fetch reads a part of the whole list, in order
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
    const entries = await fetch({ limit: limit + CHUNK, after })
    kept.push(...entries.filter(keep))
    after = entries.at(-1)?.packageName
    if (kept.length >= limit || entries.length < limit + CHUNK) return kept.slice(0, limit)
  }
}
