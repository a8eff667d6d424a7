import { createHmac, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import type { Dispatcher } from 'undici'
import type { Form } from './form.ts'

/** Where an app's server is, and what proves to it that a call is ours. */
export interface WebhookTarget {
  readonly publicUrl: string
  /** Hex SHA-256 of each live API key of the app, the newest first. */
  readonly keyHashes: readonly string[]
}

/** What an app's server answered, or why it did not. */
export type WebhookResponse =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | {
      readonly ok: false
      /** A stable word: `REFUSED_<status>`, `TIMEOUT`, `FORBIDDEN_ADDRESS` or the network error's code. */
      readonly code: string
      readonly message: string
      readonly retryable: boolean
      readonly status?: number
    }

/** Bounds of a call. */
export interface WebhookOptions {
  /** For the whole call. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** What the app asked to be sent along as bearer. */
  readonly bearer?: string | undefined
  /** `webhook-id` of the call, where a second try is to be known for the first; else it gets one of its own. */
  readonly messageId?: string
}

interface Outgoing {
  readonly method: 'GET' | 'POST'
  readonly contentType?: string
  readonly length?: number
  signed(): Promise<Record<string, string>>
  body(): string | Readable | null
}

/** Bytes of an answer that are read; app servers answer with a few words. */
const MAX_ANSWER = 256 * 1024

/**
 * Calls app servers. Every call is signed as Standard Webhooks has it, once with each live key of the app: the
 * secret is the SHA-256 of the API key, which only the app and we know, so that keys and signatures change together
 * (decision W5).
 */
export class WebhookClient {
  readonly #open: () => Promise<Dispatcher>
  readonly #now: () => number
  #dispatcher: Promise<Dispatcher> | undefined

  /**
   * @param open makes the agent to call with, at the first call
   * @param now epoch milliseconds, for the signature's timestamp
   */
  constructor(open: () => Promise<Dispatcher>, now: () => number) {
    this.#open = open
    this.#now = now
  }

  /** Gets ready for the first call, so that it need not wait for what calls need. */
  async prepare(): Promise<Dispatcher> {
    this.#dispatcher ??= this.#open()
    return this.#dispatcher
  }

  /** Cuts the calls under way and takes no more. */
  async close(): Promise<void> {
    await (await this.#dispatcher)?.destroy()
  }

  /** Gets a path of the app's server; signed is that there is no body. Never throws: what goes wrong is the answer. */
  get(target: WebhookTarget, path: string, options: WebhookOptions): Promise<WebhookResponse> {
    const signed = async () => this.#signed(target, '', options.messageId)
    return this.#send(target, path, options, { method: 'GET', signed, body: () => null })
  }

  /** Posts JSON to a path of the app's server. Never throws: what goes wrong is the answer. */
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
   * Posts a form with a file to a path of the app's server. Never throws. The signature covers the bytes of the body,
   * which are therefore read twice: once to be signed, once to be sent.
   */
  postForm(
    target: WebhookTarget,
    path: string,
    form: Form,
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
    { method, contentType, length, signed, body }: Outgoing,
  ): Promise<WebhookResponse> {
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(options.timeoutMs)))
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
    try {
      const { origin, pathname, search } = new URL(`${target.publicUrl.replace(/\/+$/, '')}${path}`)
      const dispatcher = await this.prepare()
      const answer = await dispatcher.request({
        origin,
        path: pathname + search,
        method,
        headers: {
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
          ...(length === undefined ? {} : { 'content-length': String(length) }),
          ...(options.bearer === undefined ? {} : { authorization: `Bearer ${options.bearer}` }),
          ...(await signed()),
        },
        body: body(),
        signal,
      })
      const text = await readBounded(answer.body)
      const { statusCode: status } = answer
      if (status >= 200 && status < 300) return { ok: true, status, body: parse(text) }
      const message = `The app's server answered ${status}`
      return {
        ok: false,
        code: `REFUSED_${status}`,
        message,
        retryable: status >= 500 || status === 429,
        status,
      }
    } catch (error) {
      if (timeout.aborted) {
        return {
          ok: false,
          code: 'TIMEOUT',
          message: "The app's server did not answer in time",
          retryable: true,
        }
      }
      const code = codeOf(error)
      const message = `The app's server could not be reached (${code})`
      return { ok: false, code, message, retryable: code !== 'FORBIDDEN_ADDRESS' }
    }
  }

  #signed(target: WebhookTarget, payload: string, id = newMessageId()): Record<string, string> {
    const at = new Date(this.#now())
    const signatures = target.keyHashes.map((hash) =>
      new Webhook(Buffer.from(hash, 'hex').toString('base64')).sign(id, at, payload),
    )
    return signatureHeaders(id, at, signatures)
  }

  /** The library signs text alone; the construction is the same for bytes. */
  async #signedBytes(
    target: WebhookTarget,
    payload: AsyncIterable<Uint8Array>,
  ): Promise<Record<string, string>> {
    const id = newMessageId()
    const at = new Date(this.#now())
    const macs = target.keyHashes.map((hash) =>
      createHmac('sha256', Buffer.from(hash, 'hex')).update(`${id}.${seconds(at)}.`),
    )
    for await (const chunk of payload) for (const mac of macs) mac.update(chunk)
    return signatureHeaders(
      id,
      at,
      macs.map((mac) => `v1,${mac.digest('base64')}`),
    )
  }
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

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_ANSWER)
      throw Object.assign(new Error('The answer is too long'), { code: 'ANSWER_TOO_LONG' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
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
