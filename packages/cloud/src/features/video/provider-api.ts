import type { StreamingResult } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'

/** Time for one request. */
const REQUEST_TIMEOUT_MS = 5_000

/** Attempts of a request, the first one included. */
const MAX_ATTEMPTS = 3

const RETRY_DELAY_MS = 500

/** A provider that asks for a longer pause has failed, because the caller waits. */
const MAX_RETRY_DELAY_MS = 3_000

/** Responses longer than this are rejected. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

export interface ProviderApiOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly clock: Clock
  /** Returns the reason in the body of a failed response. */
  errorOf(body: unknown): string | undefined
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** Status codes other than 2xx that are no failure. Their value is undefined. */
  readonly accept?: readonly number[]
}

/**
 * Calls the HTTP API of a streaming provider. Retries what may succeed later: 429, after the pause that the provider asks
 * for, and for requests that can be repeated also 5xx and lost connections. Errors are values.
 */
export class ProviderApi {
  readonly #options: ProviderApiOptions

  constructor(options: ProviderApiOptions) {
    this.#options = options
  }

  /** Returns the parsed body of the response; undefined if it is empty. */
  async request(request: ApiRequest): Promise<StreamingResult<unknown>> {
    for (let attempt = 1; ; attempt += 1) {
      const { result, retryAfterMs } = await this.#attempt(request)
      if (result.ok || retryAfterMs === undefined || attempt >= MAX_ATTEMPTS) return result
      if (retryAfterMs > MAX_RETRY_DELAY_MS) return result
      await this.#pause(retryAfterMs)
    }
  }

  async #attempt({ method, path, body, accept = [] }: ApiRequest): Promise<Attempt> {
    const { baseUrl, headers } = this.#options
    // A repeated POST could create a second input.
    const retryAfterMs = method === 'POST' ? undefined : RETRY_DELAY_MS
    let response: Response
    let text: string
    try {
      response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      })
      text = await readText(response)
    } catch (error) {
      return { result: failure(describe(error)), retryAfterMs }
    }
    const { status } = response
    if (accept.includes(status)) return { result: { ok: true, value: undefined } }
    const parsed = parse(text)
    if (response.ok) {
      return parsed.ok
        ? { result: { ok: true, value: parsed.value } }
        : { result: failure('The provider answered with something other than JSON') }
    }
    const reason = this.#options.errorOf(parsed.ok ? parsed.value : undefined)
    const result = failure(`The provider answered with status ${status}${reason ? `: ${reason}` : ''}`)
    if (status === 429) return { result, retryAfterMs: retryAfter(response) ?? RETRY_DELAY_MS }
    return { result, ...(status >= 500 ? { retryAfterMs } : {}) }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.#options.clock.after(ms, resolve))
  }
}

interface Attempt {
  readonly result: StreamingResult<unknown>
  /** Pause before a retry; undefined: it would not help. */
  readonly retryAfterMs?: number | undefined
}

function failure(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('The response of the provider is too long')
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

/** Returns the pause that the `Retry-After` header asks for, in seconds or as a date. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(seconds * 1_000, 0) : undefined
}

function describe(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'The provider did not respond in time'
  const { cause, message } = error as Error & { cause?: { code?: string } }
  return cause?.code ? `The provider cannot be reached (${cause.code})` : message
}
