import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Scope } from './scope.ts'

/** How an app server responds to webhooks. */
export type StartBehavior =
  /** Connects to the cloud and responds after the acknowledgement, as the app SDK does. */
  | 'connect'
  /** Responds without connecting. */
  | 'never-connect'
  /** Receives `session_request` and does not respond. */
  | 'silent'
  /** Responds to every webhook with this status. */
  | number

/** How the server of an SDK responds to a photo that nobody requested (app-socket.md §1.9). */
const UNREQUESTED_PHOTO = {
  first: undefined,
  second: 'No active session found for this photo request',
  current: 'No pending request found for this photo (may have timed out or session ended)',
} as const

/** A received webhook. */
export interface WebhookCall {
  readonly type: string
  readonly sessionId: string
  readonly userId: string
  readonly reason?: string
  readonly mentraOSWebsocketUrl?: string
}

/** A minimal app server that implements the documented protocol and can be made to fail. */
export interface AppServer {
  readonly url: string
  readonly calls: readonly WebhookCall[]
  /** The open sockets, oldest first. */
  readonly sockets: readonly WebSocket[]
  behavior: StartBehavior
  /** Waits for the first webhook of a type, or a later one, including those already received. */
  called(type: string, number?: number): Promise<WebhookCall>
  /** Drops its sockets without a close frame, as a crash would. */
  dropSockets(): void
  /**
   * How it responds to requests other than webhooks: like the server of an SDK generation, like `other` software, or
   * not at all.
   */
  sdk: keyof typeof UNREQUESTED_PHOTO | 'other' | undefined
  /** Whether the health check of the SDK is on. */
  hasHealthCheck: boolean
  /** The API key it authenticates with: set it to the key that the registration returned. */
  apiKey: string
}

/** Starts an app server for a package; the scope closes it and its sockets. */
export async function startAppServer(scope: Scope, packageName: string): Promise<AppServer> {
  const calls: WebhookCall[] = []
  const arrivals = new EventEmitter()
  const sockets = new Set<WebSocket>()
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const app = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    get sockets() {
      return [...sockets]
    },
    behavior: 'connect' as StartBehavior,
    sdk: undefined as AppServer['sdk'],
    hasHealthCheck: true,
    apiKey: '',
    dropSockets() {
      for (const socket of sockets) socket.terminate()
    },
    async called(type: string, number = 1): Promise<WebhookCall> {
      const signal = AbortSignal.timeout(20_000)
      while (true) {
        const call = calls.filter((candidate) => candidate.type === type)[number - 1]
        if (call !== undefined) return call
        await once(arrivals, 'call', { signal })
      }
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (app.sdk !== undefined && respond(request.url, response, app.sdk)) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call: WebhookCall = JSON.parse(Buffer.concat(chunks).toString())
    calls.push(call)
    arrivals.emit('call')
    if (typeof app.behavior === 'number') return void response.writeHead(app.behavior).end('{}')
    if (call.type !== 'session_request') return void response.end('{"status":"success"}')
    if (app.behavior === 'silent') return
    if (app.behavior === 'connect') await connect(call)
    response.end('{"status":"success"}')
  }

  /** @returns whether the path is not that of a webhook */
  function respond(url = '', response: ServerResponse, sdk: NonNullable<AppServer['sdk']>): boolean {
    if (url === '/webhook') return false
    const photoError = url === '/photo-upload' && sdk !== 'other' ? UNREQUESTED_PHOTO[sdk] : undefined
    if (url === '/health' && sdk !== 'other' && app.hasHealthCheck)
      response.end(JSON.stringify({ status: 'healthy', app: packageName, activeSessions: 0 }))
    else if (url === '/tool' && sdk !== 'other')
      response.end(JSON.stringify({ status: 'success', reply: 'Hello, world!' }))
    else if (photoError === undefined) response.writeHead(404).end('<pre>Not found</pre>')
    else response.writeHead(404).end(JSON.stringify({ error: photoError }))
    return true
  }

  async function connect({ sessionId, mentraOSWebsocketUrl = '' }: WebhookCall): Promise<void> {
    const socket = new WebSocket(mentraOSWebsocketUrl)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey: app.apiKey }))
    await Promise.race([once(socket, 'message'), once(socket, 'close')])
  }

  return app
}
