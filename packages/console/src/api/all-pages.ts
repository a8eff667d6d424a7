import type { ListPage } from './client.ts'

/** Loads a list to its end, page by page. @param load loads the page after a cursor */
export async function allPages<Item>(
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await load(cursor)
    items.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined)
  return items
}

/** The query parameters of a page. */
export const withCursor = (cursor: string | undefined): { readonly cursor?: string } =>
  cursor === undefined ? {} : { cursor }
