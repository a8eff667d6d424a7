import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Page } from '../db/index.ts'
import { fault } from './fault.ts'

/** Query parameters of every list (decision C5). */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: 'Entries per page; 1,000 if absent' }),
  ),
  cursor: Type.Optional(Type.String({ description: 'From the Link header of the part before' })),
}

/** Entries of a page unless `limit` asks for fewer. */
const DEFAULT_PAGE_SIZE = 1_000

/** A page with a bound. */
export type BoundedPage = Page & { readonly limit: number }

/** What the paging parameters ask for; a cursor that no list gave out is a bad request. */
export function parsePage(query: { readonly limit?: number; readonly cursor?: string }): BoundedPage {
  return {
    limit: query.limit ?? DEFAULT_PAGE_SIZE,
    after: query.cursor === undefined ? undefined : decodeCursor(query.cursor),
  }
}

/** Entries to ask a store for: one more than the page holds tells whether another page follows. */
export function withLookahead(page: BoundedPage): BoundedPage {
  return { ...page, limit: page.limit + 1 }
}

/**
 * Cuts the entry too many off and points to the next part in the `Link` header, so that the body keeps its shape.
 * The target is relative: it holds behind any proxy and under any alias of the path.
 * @param keyOf the key of an entry that the store's `after` understands
 */
export function toPage<Entry>(
  entries: readonly Entry[],
  page: BoundedPage,
  keyOf: (entry: Entry) => string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): readonly Entry[] {
  if (entries.length <= page.limit) return entries
  const shown = entries.slice(0, page.limit)
  const last = shown.at(-1)
  if (last !== undefined) reply.header('link', `<${nextUrl(request.url, keyOf(last))}>; rel="next"`)
  return shown
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
  // Reading base64url forgives much; only what reads back to itself was written by us.
  const ours = key.toString('base64url') === cursor && Buffer.from(text).equals(key) && !text.includes('\0')
  if (!ours || text === '') throw fault('BAD_REQUEST', { message: 'cursor is not one that a list gave out' })
  return text
}
