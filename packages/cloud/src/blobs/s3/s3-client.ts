import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { type Rejection, rejectedBy, S3Error, unreachable } from './s3-error.ts'

/** Where an S3 bucket is and how to access it. */
export interface S3Options {
  /** Base URL of the service, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: URL
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket is the first segment of the path; otherwise it is the first label of the host name. */
  readonly forcePathStyle: boolean
}

/** Returns the URL of the bucket, without a trailing slash. */
function bucketUrl({ endpoint, bucket, forcePathStyle }: S3Options): string {
  const url = new URL(endpoint)
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${forcePathStyle ? `${path}/${bucket}` : path}`
}

/** A request to the bucket, or to an object in it. */
interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of the object; undefined: the bucket. */
  readonly key?: string | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Uint8Array | undefined
  /** SHA-256 of the body in hex; computed if missing. */
  readonly sha256?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export type S3Response = Dispatcher.ResponseData

/** Time limits of one attempt and the pause before the next. */
interface S3Timing {
  readonly connectMs: number
  /** Time until the response starts, and longest pause within it. */
  readonly idleMs: number
  readonly retryMs: number
}

const DEFAULT_TIMING: S3Timing = { connectMs: 5_000, idleMs: 10_000, retryMs: 100 }

const MAX_ATTEMPTS = 3

/** Connections to S3; further requests queue. */
const MAX_CONNECTIONS = 64

/** Longest error document that is read. */
const MAX_ERROR_BYTES = 64 * 1024

/** Replaces parts of the client in tests. */
export interface S3Overrides {
  readonly now?: () => number
  readonly timing?: Partial<S3Timing>
  readonly lookup?: LookupFunction
}

/**
 * Sends signed requests to one bucket (AWS signature version 4, the body's hash included). A request that fails for a
 * transient reason is repeated with backoff: every operation used here has the same result if it is done twice.
 */
export class S3Client {
  readonly #options: S3Options
  readonly #url: string
  readonly #agent: Agent
  readonly #timing: S3Timing
  readonly #now: () => number
  /** Signing keys by date, region and service. */
  readonly #signingKeys = new Map<string, ArrayBuffer>()

  constructor(options: S3Options, overrides: S3Overrides = {}) {
    this.#options = options
    this.#url = bucketUrl(options)
    this.#timing = { ...DEFAULT_TIMING, ...overrides.timing }
    this.#now = overrides.now ?? Date.now
    const { connectMs, idleMs } = this.#timing
    const { lookup } = overrides
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      connect: { timeout: connectMs, ...(lookup && { lookup }) },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    })
  }

  /**
   * Sends a request and returns a successful response, whose body the caller must consume or destroy.
   * @throws S3Error after the last attempt; the abort reason of the signal
   */
  async send(request: S3Request): Promise<S3Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request)
      } catch (error) {
        const isFinal = !(error instanceof S3Error) || !error.isTransient || attempt === MAX_ATTEMPTS
        if (isFinal) throw error
        await this.pause(attempt, request.signal)
      }
    }
  }

  /** Sends a request and ignores the content of its response. @returns the headers of the response */
  async sendForHeaders(request: S3Request): Promise<S3Response['headers']> {
    const { headers, body } = await this.send(request)
    await body.dump()
    return headers
  }

  /** Sends a request and returns the XML of its response. */
  async sendForXml(request: S3Request): Promise<S3Xml> {
    const { body } = await this.send(request)
    return S3Xml.parse(await body.text().catch((cause) => Promise.reject(this.unreachable(cause))))
  }

  /** Waits before the attempt that follows `attempt`; rejects with the abort reason of the signal. */
  async pause(attempt: number, signal?: AbortSignal): Promise<void> {
    const longest = this.#timing.retryMs * 2 ** attempt
    // Jitter keeps the nodes of a cluster from repeating in step.
    const wait = delay(longest / 2 + (Math.random() * longest) / 2, undefined, { signal })
    await wait.catch((error: unknown) => Promise.reject(signal?.aborted ? signal.reason : error))
  }

  /** Returns the error for a response that ended early. */
  unreachable(cause: unknown): S3Error {
    return unreachable(this.#options.endpoint.host, cause)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #attempt(request: S3Request): Promise<S3Response> {
    const { method, body, signal } = request
    signal?.throwIfAborted()
    const { url, headers } = await this.#sign(request)
    const sent = this.#agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: Object.fromEntries(headers),
      body: body ?? null,
      signal: signal ?? null,
    })
    const response = await sent.catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw this.unreachable(cause)
    })
    if (response.statusCode < 300) return response
    throw rejectedBy(this.#options.bucket, await readRejection(response), this.#now())
  }

  #sign({ method, key, query = {}, headers = {}, body, sha256 }: S3Request) {
    const { accessKeyId, secretAccessKey, region } = this.#options
    const path = key === undefined ? this.#url : `${this.#url}/${key}`
    // The only keys of an object that need escaping cannot be blob keys.
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    return new AwsV4Signer({
      method,
      url: search === '' ? path : `${path}?${search}`,
      headers: { ...headers, 'x-amz-content-sha256': sha256 ?? hashOf(body) },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: this.#signingKeys,
      datetime: new Date(this.#now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    }).sign()
  }
}

function hashOf(body: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(body ?? '')
    .digest('hex')
}

async function readRejection({ statusCode: status, headers, body }: S3Response): Promise<Rejection> {
  const xml = S3Xml.parse(await readStart(body))
  const date = headers.date
  return {
    status,
    code: xml.text('Code') || (status === 404 ? 'NotFound' : 'error'),
    detail: xml.text('Message'),
    date: typeof date === 'string' ? date : undefined,
  }
}

/** Reads the beginning of a body; an error while reading ends it. */
async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > MAX_ERROR_BYTES) break
    }
  } catch {}
  return Buffer.concat(chunks).toString('utf8')
}

/** An element of an S3 response, read by name; a missing element reads as empty. */
class S3Xml {
  readonly #element: XmlElement | undefined

  private constructor(element: XmlElement | undefined) {
    this.#element = element
  }

  /** Parses a response; text that is not XML reads as an empty document. */
  static parse(text: string): S3Xml {
    try {
      return new S3Xml(parseXml(text).root ?? undefined)
    } catch {
      return new S3Xml(undefined)
    }
  }

  /** Name of the element; empty if it is missing. */
  get name(): string {
    return this.#element?.name ?? ''
  }

  /** Returns the text of the first child with this name; empty if there is none. */
  text(name: string): string {
    const [first] = this.all(name)
    return first === undefined ? '' : first.#text
  }

  get #text(): string {
    return this.#element?.text.trim() ?? ''
  }

  /** Returns the children with this name. */
  all(name: string): S3Xml[] {
    const children = this.#element?.children ?? []
    return children
      .filter((child) => child instanceof XmlElement)
      .filter((child) => child.name === name)
      .map((child) => new S3Xml(child))
  }
}
