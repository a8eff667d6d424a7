import { createHmac, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import type { Dispatcher } from 'undici'
import { encodeStrayPercents } from '../config/index.ts'
import { ifRecorded, NO_TRACING, type TraceParent, type Tracing } from '../tracing/index.ts'
import type { MultipartForm } from './multipart-form.ts'

/** The address of an app server, and the keys that sign calls to it. */
export interface WebhookTarget {
  /** Empty if the app has no address that may be called. */
  readonly publicUrl: string
  /** Hex SHA-256 of each live API key of the app, the newest first. */
  readonly signingKeys: readonly string[]
}

/** The response of an app server, or the reason why there is none. */
export type WebhookResponse =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | {
      readonly ok: false
      /** `REFUSED_<status>`, `TIMEOUT`, `FORBIDDEN_ADDRESS`, `NO_ADDRESS`, `ANSWER_TOO_LONG` or the code of the network error. */
      readonly code: string
      readonly message: string
      readonly retryable: boolean
      readonly status?: number
      /** The parsed response; undefined if there is none or it is not JSON. */
      readonly body?: unknown
    }

export interface WebhookOptions {
  /** Deadline of the whole call. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Token for the `Authorization` header. */
  readonly bearer?: string | undefined
  /** What the call is for, as metrics and traces name it; `other` by default. */
  readonly kind?: WebhookKind
  /** `webhook-id` of the call, so that the receiver can recognize a retry; random by default. */
  readonly messageId?: string
}

/** What a call of an app server is for. */
export type WebhookKind = 'start' | 'stop' | 'settings' | 'tool' | 'photo' | 'health' | 'other'

/** Receives a call that has ended, and its duration in milliseconds. */
export type WebhookObserver = (kind: WebhookKind, response: WebhookResponse, ms: number) => void

interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly contentType?: string
  readonly length?: number
  signed(): Promise<Record<string, string>>
  body(): string | Readable | null
}

const NO_ADDRESS: WebhookResponse = {
  ok: false,
  code: 'NO_ADDRESS',
  message: 'The address of the app server is not approved',
  retryable: false,
}

/** Largest response body. */
const MAX_RESPONSE_BYTES = 256 * 1024

/**
 * Calls app servers. Each call carries one Standard Webhooks signature for each live API key of the app; the signing
 * secret is the SHA-256 of the API key, so that keys and signatures rotate together (decision W5).
 */
export class WebhookClient {
  readonly #open: () => Promise<Dispatcher>
  readonly #now: () => number
  readonly #observe: WebhookObserver
  readonly #tracing: Tracing
  #dispatcher: Promise<Dispatcher> | undefined

  /**
   * @param open creates the HTTP agent at the first call
   * @param now epoch milliseconds, for the signature's timestamp
   * @param observe receives each call once it has ended
   * @param tracing records calls that belong to a trace, whose context the app server gets as `traceparent`
   */
  constructor(
    open: () => Promise<Dispatcher>,
    now: () => number,
    observe: WebhookObserver = () => {},
    tracing: Tracing = NO_TRACING,
  ) {
    this.#open = open
    this.#now = now
    this.#observe = observe
    this.#tracing = tracing
  }

  /** Creates the HTTP agent ahead of the first call. */
  async prepare(): Promise<Dispatcher> {
    this.#dispatcher ??= this.#open()
    return this.#dispatcher
  }

  /** Aborts pending calls and accepts no more. */
  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  /** Sends a GET request, signed with an empty body. Never rejects: failures are returned. */
  get(target: WebhookTarget, path: string, options: WebhookOptions): Promise<WebhookResponse> {
    const signed = async () => this.#signed(target, '', options.messageId)
    return this.#send(target, path, options, { method: 'GET', signed, body: () => null })
  }

  /** Posts JSON. Never rejects: failures are returned. */
  post(
    target: WebhookTarget,
    path: string,
    body: unknown,
    options: WebhookOptions,
  ): Promise<WebhookResponse> {
    const payload = JSON.stringify(body)
    return this.#send(target, path, options, {
      method: 'POST',
      contentType: 'application/json',
      signed: async () => this.#signed(target, payload, options.messageId),
      body: () => payload,
    })
  }

  /**
   * Posts a multipart form. Never rejects: failures are returned. The signature covers the bytes of the body, so the
   * file is read twice: once to sign it, once to send it.
   */
  postForm(
    target: WebhookTarget,
    path: string,
    form: MultipartForm,
    options: WebhookOptions,
  ): Promise<WebhookResponse> {
    return this.#send(target, path, options, {
      method: 'POST',
      contentType: form.contentType,
      length: form.length,
      signed: () => this.#signedBytes(target, form.bytes()),
      body: () => Readable.from(form.bytes(), { objectMode: false }),
    })
  }

  async #send(
    target: WebhookTarget,
    path: string,
    options: WebhookOptions,
    request: OutgoingRequest,
  ): Promise<WebhookResponse> {
    const startedAt = performance.now()
    const { kind = 'other' } = options
    const parent = this.#tracing.current()
    const span =
      parent === undefined
        ? undefined
        : this.#tracing.start('webhook', { kind: 'client', parent, attributes: { 'webhook.kind': kind } })
    const response = await this.#call(target, path, options, request, ifRecorded(span?.context))
    if (response.status !== undefined) span?.set({ 'http.response.status_code': response.status })
    span?.end(response.ok ? undefined : response.code)
    this.#observe(kind, response, performance.now() - startedAt)
    return response
  }

  async #call(
    target: WebhookTarget,
    path: string,
    options: WebhookOptions,
    { method, contentType, length, signed, body }: OutgoingRequest,
    traceparent: TraceParent | undefined,
  ): Promise<WebhookResponse> {
    if (target.publicUrl === '') return NO_ADDRESS
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(options.timeoutMs)))
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
    try {
      const { origin, pathname, search, username, password } = new URL(target.publicUrl)
      const credentials = username || password ? basicOf(username, password) : undefined
      const authorization = options.bearer === undefined ? credentials : `Bearer ${options.bearer}`
      const dispatcher = await this.prepare()
      // A file is read to be signed, which may take longer than the call.
      const signature = await untilAborted(signed(), signal)
      const response = await dispatcher.request({
        origin,
        path: pathname.replace(/\/+$/, '') + path + search,
        method,
        headers: {
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
          ...(length === undefined ? {} : { 'content-length': String(length) }),
          ...(authorization === undefined ? {} : { authorization }),
          ...(traceparent === undefined ? {} : { traceparent }),
          ...signature,
        },
        body: body(),
        signal,
      })
      const text = await readBody(response.body)
      const { statusCode: status } = response
      if (status >= 200 && status < 300) return { ok: true, status, body: parseJson(text) }
      const message = `The app server responded with status ${status}`
      return {
        ok: false,
        code: `REFUSED_${status}`,
        message,
        retryable: status >= 500 || status === 429,
        status,
        body: parseJson(text),
      }
    } catch (error) {
      if (timeout.aborted) {
        return {
          ok: false,
          code: 'TIMEOUT',
          message: 'The app server did not respond in time',
          retryable: true,
        }
      }
      const code = codeOf(error)
      const message = `The app server could not be reached (${code})`
      return { ok: false, code, message, retryable: code !== 'FORBIDDEN_ADDRESS' }
    }
  }

  #signed(target: WebhookTarget, payload: string, id = newMessageId()): Record<string, string> {
    const at = new Date(this.#now())
    const signatures = target.signingKeys.map((key) =>
      new Webhook(Buffer.from(key, 'hex').toString('base64')).sign(id, at, payload),
    )
    return signatureHeaders(id, at, signatures)
  }

  /** Implements the same signature as the library, which accepts text only, for a stream of bytes. */
  async #signedBytes(
    target: WebhookTarget,
    payload: AsyncIterable<Uint8Array>,
  ): Promise<Record<string, string>> {
    const id = newMessageId()
    const at = new Date(this.#now())
    const macs = target.signingKeys.map((key) =>
      createHmac('sha256', Buffer.from(key, 'hex')).update(`${id}.${seconds(at)}.`),
    )
    for await (const chunk of payload) for (const mac of macs) mac.update(chunk)
    return signatureHeaders(
      id,
      at,
      macs.map((mac) => `v1,${mac.digest('base64')}`),
    )
  }
}

/** Returns the `Authorization` header for user and password of a URL. */
function basicOf(username: string, password: string): string {
  const credentials = [username, password]
    .map((each) => decodeURIComponent(encodeStrayPercents(each)))
    .join(':')
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Rejects with the reason of the signal once it aborts, even while the work is pending. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject)
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const newMessageId = () => `msg_${randomUUID()}`

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

function signatureHeaders(id: string, at: Date, signatures: readonly string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds(at)),
    'webhook-signature': signatures.join(' '),
  }
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_RESPONSE_BYTES)
      throw Object.assign(new Error('The response is too long'), { code: 'ANSWER_TOO_LONG' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return 'NETWORK_ERROR'
}
