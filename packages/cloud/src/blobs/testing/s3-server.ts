import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { findFreePort } from '../../http/free-port.ts'
import type { S3Options } from '../s3/s3-client.ts'
import { verifySignature } from './s3-signature.ts'

/** Smallest part of a multipart upload other than its last. */
const MIN_PART_BYTES = 5 * 1024 * 1024

/** What a faulty service does with a request. */
export type S3Fault =
  /** Responds with an error before it does anything. */
  | { readonly status: number; readonly code: string }
  /** Closes the connection before it does anything. */
  | 'reset'
  /** Does what is requested and closes the connection without a response. */
  | 'lose-response'
  /** Does not respond. */
  | 'hang'
  /** Closes the connection in the middle of the response. */
  | 'cut'

interface S3Object {
  readonly content: Buffer
  readonly etag: string
  readonly metadata: Readonly<Record<string, string>>
}

interface Upload {
  readonly key: string
  readonly startedAt: number
  readonly metadata: Readonly<Record<string, string>>
  readonly parts: Map<number, Buffer>
}

/** A request, and the part of the protocol it belongs to. */
interface S3Call {
  readonly method: string
  /** Empty: the bucket. */
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * A server with the S3 REST interface, as far as a blob store uses it: objects, ranges, lists and multipart uploads of
 * one bucket, in memory. It verifies signatures, and can be told to fail.
 */
export class S3Server {
  readonly account = { accessKeyId: 'test-key', secretAccessKey: 'test-secret/+', region: 'eu-test-1' }
  readonly bucket = 'blobs'
  readonly objects = new Map<string, S3Object>()
  readonly uploads = new Map<string, Upload>()
  /** The requests so far, such as `PUT photos/1`. */
  readonly log: string[] = []
  /** Decides whether a request fails. */
  fault: (call: S3Call) => S3Fault | undefined = () => undefined
  now: () => number = Date.now
  /** Entries of a list in one response. */
  pageSize = 3
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (error instanceof Rejected) respond(response, error.status, {}, errorXml(error.code))
        else request.socket.destroy(error as Error)
      })
    })
  }

  /** Starts at a port that the system assigns to nothing else while the server is closed. */
  static async start(): Promise<S3Server> {
    const server = new S3Server()
    await server.listen(await findFreePort())
    return server
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Closes the server and all connections; `listen` opens it again. */
  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get options(): S3Options {
    const endpoint = new URL(`http://127.0.0.1:${this.port}`)
    return { ...this.account, endpoint, bucket: this.bucket, forcePathStyle: true }
  }

  /** The settings of a cloud that uses this server. */
  get env(): Record<string, string> {
    return {
      S3_BUCKET: this.bucket,
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_REGION: this.account.region,
      S3_ACCESS_KEY_ID: this.account.accessKeyId,
      S3_SECRET_ACCESS_KEY: this.account.secretAccessKey,
    }
  }

  /** Fails the next requests with these faults, in order. */
  failNext(...faults: S3Fault[]): void {
    this.fault = () => faults.shift()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = request
    const body = await buffer(request)
    const code = verifySignature({ method, target, headers, body }, this.account, this.now())
    if (code !== undefined) throw new Rejected(code === 'XAmzContentSHA256Mismatch' ? 400 : 403, code)
    const call = this.#parse(method, target, headers, body)
    this.log.push(`${method} ${call.key}`)
    const fault = this.fault(call)
    if (fault === 'hang') return
    if (fault === 'reset') return void request.socket.destroy()
    if (typeof fault === 'object') throw new Rejected(fault.status, fault.code)
    const result = this.#perform(call)
    if (fault === 'lose-response') return void request.socket.destroy()
    if (fault === 'cut') return cut(response, result)
    respond(response, result.status, result.headers, method === 'HEAD' ? '' : result.content)
  }

  #parse(method: string, target: string, headers: IncomingMessage['headers'], body: Buffer): S3Call {
    const { pathname, hostname, searchParams: query } = new URL(target, `http://${headers.host}`)
    const path = decodeURIComponent(pathname.slice(1))
    const isVirtualHost = hostname.startsWith(`${this.bucket}.`)
    const bucket = isVirtualHost ? this.bucket : path.split('/')[0]
    if (bucket !== this.bucket) throw new Rejected(404, 'NoSuchBucket')
    const key = isVirtualHost ? path : path.slice(this.bucket.length + 1)
    return { method, key, query, headers, body }
  }

  #perform(call: S3Call): Result {
    const { method, key, query } = call
    if (key === '') return query.has('uploads') ? this.#listUploads() : this.#list(query)
    if (query.has('uploads')) return this.#startUpload(call)
    if (query.has('uploadId')) return this.#changeUpload(call, query.get('uploadId') ?? '')
    if (method === 'PUT') return this.#put(call)
    if (method === 'DELETE') {
      this.objects.delete(key)
      return { status: 204, headers: {}, content: '' }
    }
    return this.#get(call)
  }

  #put({ key, headers, body }: S3Call): Result {
    const etag = `"${md5(body)}"`
    this.objects.set(key, { content: body, etag, metadata: metadataOf(headers) })
    return { status: 200, headers: { etag }, content: '' }
  }

  #get({ key, headers }: S3Call): Result {
    const object = this.objects.get(key)
    if (!object) throw new Rejected(404, 'NoSuchKey')
    const { content, etag, metadata } = object
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
      throw new Rejected(412, 'PreconditionFailed')
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')
    if (!range) {
      const length = { 'content-length': String(content.length) }
      return { status: 200, headers: { ...metadata, ...length, etag }, content }
    }
    const start = Number(range[1])
    const end = Math.min(range[2] ? Number(range[2]) : content.length - 1, content.length - 1)
    if (start > end) throw new Rejected(416, 'InvalidRange')
    const extent = { 'content-range': `bytes ${start}-${end}/${content.length}` }
    return {
      status: 206,
      headers: { ...metadata, ...extent, etag },
      content: content.subarray(start, end + 1),
    }
  }

  #list(query: URLSearchParams): Result {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, Math.min(this.pageSize, Number(query.get('max-keys') ?? 1_000)))
    const entries = page.map(
      (key) => `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.content.length}</Size></Contents>`,
    )
    const next =
      page.length < keys.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(`<ListBucketResult>${entries.join('')}${next}</ListBucketResult>`)
  }

  #listUploads(): Result {
    const uploads = [...this.uploads].map(
      ([id, { key, startedAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(startedAt).toISOString()}</Initiated></Upload>`,
    )
    return xml(`<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`)
  }

  #startUpload({ key, headers }: S3Call): Result {
    const id = randomUUID()
    this.uploads.set(id, { key, startedAt: this.now(), metadata: metadataOf(headers), parts: new Map() })
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }

  #changeUpload({ method, key, query, body }: S3Call, id: string): Result {
    const upload = this.uploads.get(id)
    if (!upload || upload.key !== key) throw new Rejected(404, 'NoSuchUpload')
    if (method === 'DELETE') {
      this.uploads.delete(id)
      return { status: 204, headers: {}, content: '' }
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body)
      return { status: 200, headers: { etag: `"${md5(body)}"` }, content: '' }
    }
    return this.#completeUpload(id, upload, body.toString())
  }

  #completeUpload(id: string, { key, metadata, parts }: Upload, request: string): Result {
    const listed = [...request.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)]
    const contents = listed.map(([, number, etag]) => {
      const content = parts.get(Number(number))
      if (!content || md5(content) !== etag) throw new Rejected(400, 'InvalidPart')
      return content
    })
    if (contents.length === 0) throw new Rejected(400, 'MalformedXML')
    if (contents.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES))
      throw new Rejected(400, 'EntityTooSmall')
    const etag = `"${md5(Buffer.concat(contents.map((content) => Buffer.from(md5(content), 'hex'))))}-${contents.length}"`
    this.objects.set(key, { content: Buffer.concat(contents), etag, metadata })
    this.uploads.delete(id)
    return xml(`<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`)
  }
}

interface Result {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly content: Buffer | string
}

class Rejected extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

function xml(text: string): Result {
  const content = `<?xml version="1.0" encoding="UTF-8"?>\n${text}`
  return { status: 200, headers: { 'content-type': 'application/xml' }, content }
}

function errorXml(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>test</Message></Error>`
}

function respond(
  response: ServerResponse,
  status: number,
  headers: Result['headers'],
  content: Buffer | string,
) {
  response.writeHead(status, headers).end(content)
}

/** Sends half of the content and closes the connection. */
function cut(response: ServerResponse, { status, headers, content }: Result): void {
  const bytes = Buffer.from(content)
  response.writeHead(status, { ...headers, 'content-length': bytes.length })
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
}

function metadataOf(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('x-amz-meta-'))
      .map(([name, value]) => [name, String(value)]),
  )
}

function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex')
}
