import createClient from 'openapi-fetch'
import { cloudUrl } from '../base-path.ts'
import { ApiError, readError } from './api-error.ts'
import type { paths } from './schema.d.ts'
import { sessionWatch } from './session.ts'

/**
 * Client of the REST interface, with types generated from the OpenAPI document of the cloud (`npm run check` and
 * `packages/console/generate-api-types.ts` generate `schema.d.ts`). The browser sends the session cookie with every request.
 * A request that is rejected because the session ended elsewhere waits for the next sign-in (`SessionWatch`).
 */
export const api = createClient<paths>({
  baseUrl: cloudUrl(),
  credentials: 'same-origin',
  fetch: (request) => sessionWatch.fetch(request),
})

interface ApiResult<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/**
 * Returns the body of a successful response.
 * @throws {ApiError} for an error response, and when the cloud cannot be reached (status 0)
 */
export async function unwrap<Data>(request: Promise<ApiResult<Data>>): Promise<Data> {
  const result = await request.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError(0, 'The cloud cannot be reached. Check the connection and try again.')
  })
  const { ok, status, headers } = result.response
  if (!ok) throw readError(status, result.error, headers)
  return result.data as Data
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** The cursor of the next page; undefined after the last one. */
  readonly next: string | undefined
}

/**
 * Returns a page of a list.
 * @throws {ApiError} as `unwrap` does
 */
export async function unwrapPage<Item>(
  request: Promise<ApiResult<{ readonly data: readonly Item[] }>>,
): Promise<ListPage<Item>> {
  const { data } = await unwrap(request)
  const link = (await request).response.headers.get('link') ?? ''
  return { items: data, next: /[?&]cursor=([^&>]+)/.exec(link)?.[1] }
}

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
