import { Deviation } from './outcome.ts'

/** A response. */
export interface Answer {
  /** Method and path, for messages; never the query, which may contain a key. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  /** Parsed if it is JSON, otherwise the text. */
  readonly body: unknown
}

/** A request. */
export interface RequestOptions {
  /** Replaces the token of the user; null sends none. */
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether 429 is an answer like any other; otherwise it fails the check with advice. */
  readonly expectsLimit?: boolean
}

/** Sends requests to the cloud as its user. */
export class RestClient {
  readonly #base: URL
  readonly #token: string
  readonly #signal: AbortSignal

  constructor(url: string, token: string, signal: AbortSignal) {
    this.#base = new URL(url)
    this.#base.pathname = this.#base.pathname.replace(/\/*$/, '/')
    this.#token = token
    this.#signal = signal
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.send('GET', path, options)
  }

  post(path: string, options?: RequestOptions): Promise<Answer> {
    return this.send('POST', path, options)
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, { body })
  }

  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { token = this.#token, body, headers, expectsLimit = false } = options
    const request = `${method} ${path.replace(/\?.*/, '')}`
    const response = await fetch(new URL(path.slice(1), this.#base), {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: this.#signal,
    }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message
      throw new Deviation(`${request}: no response (${cause})`)
    })
    if (response.status === 429 && !expectsLimit) {
      throw new Deviation(`${request}: the rate limit is exhausted; wait a minute and run the kit alone`)
    }
    const text = await response.text()
    return { request, status: response.status, headers: response.headers, body: parseJson(text) }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
