import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Message, RestreamOutput } from '@glasses-cloud/contract'
import { Glasses, type GlassesOptions } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { CloudOverrides } from '../../src/cloud.ts'
import { MemoryStreamingProvider } from '../../src/features/video/memory-provider.ts'
import { TroubledProvider } from '../../src/features/video/testing/troubled-provider.ts'
import { systemClock } from '../../src/time/index.ts'
import type { Scope } from './scope.ts'
import { type LocalCloud, startCloud, type TestCloud, type TestResponse } from './test-cloud.ts'
import { withTimeout } from './wait-for.ts'

/** A cloud with a streaming provider that can be made to fail. */
export interface StreamRig {
  readonly cloud: LocalCloud
  readonly provider: TroubledProvider
}

/** Starts a cloud whose provider delays every call by 50 ms. */
export async function createStreamRig(scope: Scope, overrides: CloudOverrides = {}): Promise<StreamRig> {
  const provider = new TroubledProvider(new MemoryStreamingProvider(systemClock, 50))
  const timing = {
    playbackPollIntervalMs: 20,
    outputPollIntervalsMs: [20, 60],
    outputCacheMs: 0,
    ...overrides.timing,
  }
  const cloud = await startCloud(scope, {
    env: { LOG_LEVEL: 'trace' },
    overrides: { streaming: provider, ...overrides, timing },
  })
  return { cloud, provider }
}

/** Connects camera glasses on Wi-Fi for a user; the scope disconnects them. */
export async function connectCameraGlasses(
  scope: Scope,
  cloud: TestCloud,
  email: string,
  options: Partial<GlassesOptions> = {},
): Promise<Glasses> {
  const glasses = new Glasses({
    url: cloud.url,
    token: await cloud.token(email),
    model: 'Mentra Live',
    wifi: { connected: true, ssid: 'home' },
    reconnect: false,
    ...options,
  })
  scope.after(() => glasses.disconnect())
  await glasses.connect()
  glasses.send({ type: 'ping' })
  await glasses.waitForMessage('pong')
  return glasses
}

/** The body of any response about outputs. */
export interface OutputsResponse {
  readonly success?: boolean
  readonly outputId?: string
  readonly message?: string
  readonly error?: string
  readonly streamId?: string
  readonly outputs?: readonly RestreamOutput[]
  readonly total?: number
}

/** A test app: its server, its API key and one socket per user it runs for. */
export class StreamApp {
  readonly packageName: string
  readonly apiKey: string
  readonly #cloud: TestCloud
  readonly #sockets: Map<string, Promise<AppSocket>>

  private constructor(
    cloud: TestCloud,
    packageName: string,
    apiKey: string,
    sockets: Map<string, Promise<AppSocket>>,
  ) {
    this.#cloud = cloud
    this.packageName = packageName
    this.apiKey = apiKey
    this.#sockets = sockets
  }

  /** Registers an app with the camera permission and starts its server. */
  static async serve(scope: Scope, cloud: TestCloud, packageName: string): Promise<StreamApp> {
    const sockets = new Map<string, Promise<AppSocket>>()
    let apiKey = ''
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (request.method === 'GET') return void response.writeHead(404).end()
      const call = JSON.parse(Buffer.concat(chunks).toString())
      if (call.type === 'session_request') {
        const init = { type: 'tpa_connection_init', sessionId: call.sessionId, packageName, apiKey }
        const opening = AppSocket.open(scope, call.mentraOSWebsocketUrl, init)
        // The start may return before the app receives its acknowledgement.
        sockets.set(call.userId, opening)
        await opening
      }
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    scope.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const permissions = [{ type: 'CAMERA' as const, description: '' }]
    apiKey = (await cloud.registerApp({ packageName, publicUrl, permissions, appType: 'BACKGROUND' })).apiKey
    return new StreamApp(cloud, packageName, apiKey, sockets)
  }

  /** Starts the app for a user with connected glasses. */
  async start(email: string): Promise<AppSocket> {
    const token = await this.#cloud.token(email)
    const path = `/api/apps/${this.packageName}/start`
    assert.equal((await this.#cloud.request('POST', path, { token })).status, 200)
    const socket = this.#sockets.get(email)
    assert.ok(socket)
    return socket
  }

  /** Calls the output endpoints with this app's key. */
  outputs(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<TestResponse<OutputsResponse>> {
    const headers = { 'x-api-key': this.apiKey, 'x-package-name': this.packageName }
    return this.#cloud.request(method, `/api/streams/${path}`, { headers, body })
  }
}

/** The socket of an app in one user session. */
export class AppSocket {
  readonly messages: Message[] = []
  readonly #socket: WebSocket
  readonly #arrivals = new EventEmitter()

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)))
      this.#arrivals.emit('message')
    })
  }

  static async open(scope: Scope, url: string, init: object): Promise<AppSocket> {
    const socket = new AppSocket(new WebSocket(url))
    scope.after(() => socket.#socket.terminate())
    await once(socket.#socket, 'open')
    socket.#socket.send(JSON.stringify(init))
    await socket.waitForMessage('tpa_connection_ack')
    return socket
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Waits for a matching message, including those already received; returns the latest. */
  async waitForMessage(type: string, fits: (message: Message) => boolean = () => true): Promise<Message> {
    const found = async () => {
      for (;;) {
        const message = this.messages.findLast((one) => one.type === type && fits(one))
        if (message) return message
        await once(this.#arrivals, 'message')
      }
    }
    return withTimeout(20_000, found(), `no matching ${type} was received`)
  }

  /** Waits for a status of the managed stream. */
  waitForManagedStatus(status: string): Promise<Message> {
    return this.waitForMessage('managed_stream_status', (message) => message.status === status)
  }

  /** Requests a managed stream and waits until it is active; returns its id. */
  async startManagedStream(options: object = {}): Promise<string> {
    this.send({ type: 'managed_stream_request', ...options })
    return String((await this.waitForManagedStatus('active')).streamId)
  }
}
