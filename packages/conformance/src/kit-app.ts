import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Dialect } from '@glasses-cloud/contract'
import { isRecord } from './expect.ts'
import type { AppOptions } from './options.ts'
import { Deviation } from './outcome.ts'
import { type Frame, Socket } from './socket.ts'

const MAX_BODY_BYTES = 256 * 1024
/** The largest photo that a cloud or phone delivers. */
const MAX_PHOTO_BYTES = 11 * 1024 * 1024
const WAIT_MS = 10_000

/** A webhook of the cloud. */
export interface Webhook {
  readonly contentType: string
  readonly body: Readonly<Record<string, unknown>>
}

/** What was posted to the app's `/photo-upload`: a form with a photo, or an error as form or JSON. */
export interface PhotoDelivery {
  readonly fields: Readonly<Record<string, unknown>>
  readonly photo: { readonly type: string; readonly bytes: number } | undefined
}

/** The app that the kit plays: a server for webhooks and photos, and a socket to the cloud. */
export class KitApp {
  readonly webhooks: Webhook[] = []
  readonly #photos: PhotoDelivery[] = []
  /** The socket of the last session request. */
  socket: Socket | undefined
  ack: Frame | undefined
  /** Milliseconds from the first message of the app to its acknowledgement. */
  ackMs = 0
  readonly options: AppOptions
  readonly #server: Server
  readonly #arrivals = new EventEmitter()

  private constructor(options: AppOptions, server: Server) {
    this.options = options
    this.#server = server
  }

  /** Starts the server. */
  static async listen(options: AppOptions): Promise<KitApp> {
    const server = createServer()
    const app = new KitApp(options, server)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      app.#handle(request, response).catch(() => response.writeHead(500).end('{"status":"error"}'))
    })
    server.listen(options.port)
    await once(server, 'listening')
    return app
  }

  /** The app session of the last session request. */
  get sessionId(): string {
    return String(this.webhooks.findLast(({ body }) => body.type === 'session_request')?.body.sessionId)
  }

  /** The app socket of the cloud, as the last session request names it. */
  get socketUrl(): string {
    const body = this.webhooks.findLast(({ body }) => body.type === 'session_request')?.body
    return String(body?.mentraOSWebsocketUrl || body?.augmentOSWebsocketUrl)
  }

  /** Waits for a webhook of a type, including those already received since `after`. */
  async called(type: string, after = 0): Promise<Webhook> {
    const signal = AbortSignal.timeout(WAIT_MS)
    for (;;) {
      const webhook = this.webhooks.slice(after).find(({ body }) => body.type === type)
      if (webhook !== undefined) return webhook
      await once(this.#arrivals, 'call', { signal }).catch(() => {
        throw new Deviation(`No webhook ${type} within ${WAIT_MS} ms: does the cloud reach --app-url?`)
      })
    }
  }

  /** Waits for the photo of a request. */
  async delivered(requestId: string): Promise<PhotoDelivery> {
    const signal = AbortSignal.timeout(WAIT_MS)
    for (;;) {
      const delivery = this.#photos.find(({ fields }) => fields.requestId === requestId)
      if (delivery !== undefined) return delivery
      await once(this.#arrivals, 'photo', { signal }).catch(() => {
        throw new Deviation(`No photo at --app-url/photo-upload within ${WAIT_MS} ms`)
      })
    }
  }

  /** The first message of an app, with the right key unless another is given. */
  init(dialect: Dialect = 'flat', apiKey: string = this.options.apiKey, sessionId = this.sessionId): object {
    const fields = { sessionId, packageName: this.options.packageName, apiKey }
    const type = 'tpa_connection_init'
    return dialect === 'flat' ? { type, ...fields } : { type, data: fields }
  }

  /** Opens a socket without authenticating it. */
  async openSocket(): Promise<Socket> {
    const handshake = await Socket.shake(this.socketUrl, {})
    if ('status' in handshake)
      throw new Deviation(`The app socket was rejected with status ${handshake.status}`)
    return handshake.socket
  }

  /** Connects and authenticates. The cloud then uses this socket and no older one. */
  async connect(dialect: Dialect = 'flat'): Promise<Socket> {
    const socket = await this.openSocket()
    const sentAt = performance.now()
    socket.send(this.init(dialect))
    this.ack = await socket.next('tpa_connection_ack')
    this.ackMs = performance.now() - sentAt
    this.socket = socket
    return socket
  }

  async close(): Promise<void> {
    this.socket?.drop()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://kit').pathname
    if (request.method !== 'POST') return void response.writeHead(404).end()
    if (path.endsWith('/webhook')) return this.#handleWebhook(request, response)
    if (path.endsWith('/photo-upload')) return this.#handlePhoto(request, response)
    response.writeHead(404).end()
  }

  async #handleWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await readBody(request, MAX_BODY_BYTES)
    if (content === undefined) return void response.writeHead(413).end()
    const body: unknown = JSON.parse(content.toString())
    if (!isRecord(body)) return void response.writeHead(400).end()
    this.webhooks.push({ contentType: request.headers['content-type'] ?? '', body })
    this.#arrivals.emit('call')
    // As the app SDK does, the response is sent when the socket is acknowledged.
    if (body.type === 'session_request') await this.connect()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success"}')
  }

  async #handlePhoto(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await readBody(request, MAX_PHOTO_BYTES)
    if (content === undefined) return void response.writeHead(413).end()
    this.#photos.push(await parseDelivery(request.headers['content-type'] ?? '', content))
    this.#arrivals.emit('photo')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
  }
}

/** Reads a body; undefined if it exceeds the maximum. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function parseDelivery(type: string, content: Buffer): Promise<PhotoDelivery> {
  if (type.startsWith('application/json')) {
    const fields: unknown = JSON.parse(content.toString())
    return { fields: isRecord(fields) ? fields : {}, photo: undefined }
  }
  const body = new Response(new Uint8Array(content), { headers: { 'content-type': type } })
  const form = await body.formData()
  const file = form.get('photo')
  return {
    fields: Object.fromEntries([...form].filter(([name]) => name !== 'photo')),
    photo: file instanceof File ? { type: file.type, bytes: file.size } : undefined,
  }
}
