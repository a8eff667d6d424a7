import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Glasses, type GlassesOptions } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { Scope } from './scope.ts'
import type { TestCloud, TestResponse } from './test-cloud.ts'

/** A request received at the `/photo-upload` of an app. */
export interface Delivery {
  readonly headers: IncomingMessage['headers']
  /** The raw body, for verifying its signature. */
  readonly raw: Buffer
  /** The text fields of the form. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly photo: File | undefined
}

/** A running app with the camera permission that records the requests to its `/photo-upload`. */
export class PhotoApp {
  readonly packageName: string
  /** The URL of its server. */
  url = ''
  readonly deliveries: Delivery[] = []
  /** The messages on its socket. */
  readonly messages: Record<string, unknown>[] = []
  /** The version of the SDK that it announces, if any. */
  readonly sdkVersion: string | undefined
  apiKey = ''
  /** The status of `/photo-upload`; `null` sends no response. */
  status: number | null = 200
  #arrivals = new EventEmitter()
  #socket: WebSocket | undefined

  private constructor(packageName: string, sdkVersion: string | undefined) {
    this.packageName = packageName
    this.sdkVersion = sdkVersion
  }

  /** Registers an app and starts it for a user with connected glasses. */
  static async run(
    scope: Scope,
    cloud: TestCloud,
    token: string,
    packageName: string,
    sdkVersion?: string,
  ): Promise<PhotoApp> {
    const app = new PhotoApp(packageName, sdkVersion)
    const server = createServer((request, response) => {
      void app.#handle(request, response).catch(() => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    scope.after(() => {
      app.#socket?.terminate()
      server.closeAllConnections()
      server.close()
    })
    app.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const permissions = [{ type: 'CAMERA' as const, description: '' }]
    app.apiKey = (await cloud.registerApp({ packageName, publicUrl: app.url, permissions })).apiKey
    const started = await cloud.request('POST', `/api/apps/${packageName}/start`, { token })
    assert.equal(started.status, 200)
    return app
  }

  /** Sends a `photo_request`. */
  requestPhoto(requestId: string, more: object = {}): void {
    assert.ok(this.#socket)
    this.#socket.send(JSON.stringify({ type: 'photo_request', requestId, ...more }))
  }

  /** Waits for a delivery with a request id; each delivery is returned once. */
  async waitForDelivery(requestId: string): Promise<Delivery> {
    const signal = AbortSignal.timeout(20_000)
    for (;;) {
      const at = this.deliveries.findIndex(({ fields }) => fields.requestId === requestId)
      const [delivery] = at < 0 ? [] : this.deliveries.splice(at, 1)
      if (delivery) return delivery
      await once(this.#arrivals, 'delivery', { signal })
    }
  }

  /** Waits for the `photo_response` with a request id. */
  async waitForAnswer(requestId: string): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(20_000)
    for (;;) {
      const answer = this.messages.find(
        (message) => message.type === 'photo_response' && message.requestId === requestId,
      )
      if (answer) return answer
      await once(this.#arrivals, 'message', { signal })
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    if (request.url === '/webhook') {
      const call = JSON.parse(raw.toString())
      if (call.type === 'session_request') await this.#connect(call)
      return void response.end('{}')
    }
    assert.equal(request.url, '/photo-upload')
    this.deliveries.push(await parseDelivery(request, raw))
    this.#arrivals.emit('delivery')
    if (this.status !== null) response.writeHead(this.status).end('{}')
  }

  async #connect({ sessionId, mentraOSWebsocketUrl }: Record<string, string>): Promise<void> {
    const socket = new WebSocket(String(mentraOSWebsocketUrl))
    this.#socket = socket
    await once(socket, 'open')
    const { packageName, apiKey, sdkVersion } = this
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(data.toString()))
      this.#arrivals.emit('message')
    })
    socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey, sdkVersion }))
    await once(socket, 'message')
  }
}

async function parseDelivery({ headers }: IncomingMessage, raw: Buffer): Promise<Delivery> {
  const type = String(headers['content-type'])
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
  const photo = form.get('photo')
  const fields = Object.fromEntries([...form].filter(([name]) => name !== 'photo'))
  return { headers, raw, fields, photo: photo instanceof File ? photo : undefined }
}

/** Connects glasses with a camera; the scope disconnects them. */
export async function connectGlasses(
  scope: Scope,
  { url }: TestCloud,
  token: string,
  options: Partial<GlassesOptions> = {},
): Promise<Glasses> {
  const glasses = new Glasses({ url, token, model: 'Mentra Live', reconnect: false, ...options })
  scope.after(() => glasses.disconnect())
  await glasses.connect()
  glasses.send({ type: 'ping' })
  await glasses.waitForMessage('pong')
  return glasses
}

/** Files with the signature of each image type, followed by filler bytes. */
export const image = {
  jpeg: (size = 1_000) => padTo(Buffer.from([0xff, 0xd8, 0xff, 0xe0]), size),
  png: (size = 1_000) => padTo(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), size),
  webp: (size = 1_000) => padTo(Buffer.from('RIFF\x00\x00\x00\x00WEBP', 'latin1'), size),
}

function padTo(head: Buffer, size: number): Buffer {
  return Buffer.concat([head, Buffer.alloc(size - head.length, 7)])
}

/** The parts of an upload form in order: text or file. */
export type FormParts = readonly (readonly [name: string, value: string | Buffer])[]

/** Uploads a photo form as phones and glasses do. */
export async function upload<Body = Record<string, unknown>>(
  { url }: { readonly url: string },
  token: string | undefined,
  parts: FormParts,
): Promise<TestResponse<Body>> {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)], { type: 'image/jpeg' }), 'picture.jpg')
  }
  const response = await fetch(`${url}/api/photos/upload`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(20_000),
  })
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
}

/** The photos in the gallery of a user. */
export async function galleryOf(
  cloud: TestCloud,
  token: string,
  query = '',
): Promise<Record<string, unknown>[]> {
  const { status, body } = await cloud.request<{ success: boolean; photos: Record<string, unknown>[] }>(
    'GET',
    `/api/gallery${query}`,
    { token },
  )
  assert.equal(status, 200)
  assert.equal(body.success, true)
  return body.photos
}
