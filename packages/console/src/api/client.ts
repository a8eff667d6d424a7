import createClient from 'openapi-fetch'
import type { paths } from './schema.d.ts'

/**
 * Client of the REST interface, with types generated from the OpenAPI document of the cloud (`npm run check` generates
 * `schema.d.ts`). The browser sends the session cookie with every request.
 */
export const api = createClient<paths>({ baseUrl: window.location.origin, credentials: 'same-origin' })

/** A problem with a field of a request. */
export interface FieldProblem {
  /** Such as `permissions[0].type`; empty for the request itself. */
  readonly field: string
  readonly message: string
}

interface ApiErrorDetails extends Partial<Record<'code' | 'field' | 'stage', string | undefined>> {
  readonly problems?: readonly FieldProblem[]
}

/** An error response of the cloud, or a request that did not reach it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Code of the error catalogue, if the response contains one. */
  readonly code: string | undefined
  /** Field of the request that is invalid, if the response names one. */
  readonly field: string | undefined
  /** Stage of an app start that failed. */
  readonly stage: string | undefined
  /** Problems of a manifest, with the field of each. */
  readonly problems: readonly FieldProblem[]

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = details.code
    this.field = details.field
    this.stage = details.stage
    this.problems = details.problems ?? []
  }
}

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
  if (!result.response.ok) throw errorOf(result.response.status, result.error)
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

/** Endpoint groups have different bodies: `{ message }`, `{ error: message }` or `{ error: code, message }`. */
function errorOf(status: number, body: unknown): ApiError {
  const fields = asRecord(body)
  const nested = asRecord(fields.error)
  const sentence = text(fields.message) ?? text(nested.message)
  const message = sentence ?? text(fields.error) ?? `The request failed (${status})`
  const code = text(nested.code) ?? (sentence === undefined ? undefined : text(fields.error))
  const field = text(fields.field) ?? text(nested.field)
  const problems = Array.isArray(fields.problems) ? (fields.problems as FieldProblem[]) : []
  return new ApiError(status, message, { code, field, stage: text(nested.stage), problems })
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
