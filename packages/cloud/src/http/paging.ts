import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Page } from '../db/index.ts'
import { fault } from './fault.ts'

/** Query parameters of every list (decision C5). */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of entries; default: 1,000' }),
  ),
  cursor: Type.Optional(Type.String({ description: 'From the Link header of the previous page' })),
}

/** Page size without `limit`. */
const DEFAULT_PAGE_SIZE = 1_000

/** A page with a limit. */
export type BoundedPage = Page & { readonly limit: number }

/** Parses the paging parameters. @throws Fault `BAD_REQUEST` for an invalid cursor */
export function parsePage(query: { readonly limit?: number; readonly cursor?: string }): BoundedPage {
  return {
    limit: query.limit ?? DEFAULT_PAGE_SIZE,
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor),
  }
}

/** Extends a page by one entry, which shows whether another page follows. */
export function withLookahead(page: BoundedPage): BoundedPage {
  return { ...page, limit: page.limit + 1 }
}

/**
 * Removes the lookahead entry and sets the `Link` header to the next page. The link is relative, so it works behind
 * proxies and with aliases of the path.
 * @param keyOf returns the key of an entry for `Page.after`
 */
export function toPage<Entry>(
  entries: readonly Entry[],
  page: BoundedPage,
  keyOf: (entry: Entry) => string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): readonly Entry[] {
  if (entries.length <= page.limit) return entries
  const visible = entries.slice(0, page.limit)
  const last = visible.at(-1)
  if (last !== undefined) reply.header('link', `<${nextUrl(request.url, keyOf(last))}>; rel="next"`)
  return visible
}

function nextUrl(url: string, lastKey: string): string {
  const [path = '', query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', Buffer.from(lastKey).toString('base64url'))
  return `${path}?${parameters}`
}

function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url')
  const text = key.toString()
  // Decoding base64url is lenient, so check that encoding the key again yields the cursor.
  const isValid =
    key.toString('base64url') === cursor && Buffer.from(text).equals(key) && !text.includes('\0')
  if (!isValid || text === '') throw fault('BAD_REQUEST', { message: 'cursor is invalid' })
  return text
}
