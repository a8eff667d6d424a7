import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

export interface AppServerOptions {
  readonly packageName?: string
  /** Sent with the handshake of each socket. */
  readonly subscriptions?: readonly string[]
  /** Pause before a lost socket connects again; without it, lost sockets stay away. */
  readonly reconnectMs?: number
  /** Receives each text message, and returns what to display, if anything. */
  readonly respond?: (message: string) => string | undefined
}

/** Server of the app of a benchmark: connects to the cloud, and connects again, as the app SDK does. */
export class AppServer {
  /** API key of the app, for its sockets. */
  apiKey = ''
  /** Where it connects; by default the URL in the session request. */
  socketUrl: string | undefined
  readonly #options: AppServerOptions
  readonly #packageName: string
  /** The current socket of each user. */
  readonly #sockets = new Map<string, WebSocket>()
  readonly #pending = new Map<string, (socket: WebSocket) => void>()
  #isAway = false
  #isClosed = false
  readonly #server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    if (this.#isAway) return void response.writeHead(503).end()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { type, sessionId, userId, mentraOSWebsocketUrl } = JSON.parse(body)
      if (type === 'session_request') this.#connect(sessionId, userId, this.socketUrl ?? mentraOSWebsocketUrl)
      response.end('{"status":"success"}')
    })
  })

  constructor(options: AppServerOptions = {}) {
    this.#options = options
    this.#packageName = options.packageName ?? 'bench.app'
  }

  /** @returns the URL of the server */
  async listen(): Promise<string> {
    this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resolves with the next acknowledged socket of an app session. */
  nextSocket(appSessionId: string): Promise<WebSocket> {
    return new Promise((resolve) => this.#pending.set(appSessionId, resolve))
  }

  /** Sends a message or an invalid text for a user; does nothing while the app is not connected. */
  send(userEmail: string, message: object | string): void {
    const socket = this.#sockets.get(userEmail)
    if (socket?.readyState !== WebSocket.OPEN) return
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Displays a text on the glasses of a user. */
  display(userEmail: string, text: string): void {
    const layout = { layoutType: 'text_wall', text }
    const timestamp = new Date().toISOString()
    this.send(userEmail, {
      type: 'display_event',
      packageName: this.#packageName,
      view: 'main',
      layout,
      timestamp,
    })
  }

  /** Drops the socket of a user without a closing handshake. */
  loseConnection(userEmail: string): void {
    this.#sockets.get(userEmail)?.terminate()
  }

  /** Drops all sockets, and accepts nothing for a time, as a server that is restarted. */
  async outage(ms: number): Promise<void> {
    this.#isAway = true
    for (const socket of this.#sockets.values()) socket.terminate()
    await delay(ms)
    this.#isAway = false
  }

  /** Stops the server. Sockets stay open, so that a benchmark can use them, unless they would connect again. */
  close(): void {
    this.#isClosed = true
    this.#server.close()
    if (this.#options.reconnectMs === undefined) return
    for (const socket of this.#sockets.values()) socket.terminate()
    this.#server.closeAllConnections()
  }

  #connect(sessionId: string, userEmail: string, url: string): void {
    const { subscriptions, respond } = this.#options
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const previous = this.#sockets.get(userEmail)
    this.#sockets.set(userEmail, socket)
    previous?.terminate()
    socket.on('error', () => {})
    socket.on('open', () => {
      const { apiKey } = this
      const packageName = this.#packageName
      socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey }))
      if (subscriptions) socket.send(JSON.stringify({ type: 'subscription_update', subscriptions }))
    })
    socket.once('message', () => {
      this.#pending.get(sessionId)?.(socket)
      this.#pending.delete(sessionId)
    })
    if (respond)
      socket.on('message', (data, isBinary) => {
        const text = isBinary ? undefined : respond(String(data))
        if (text !== undefined) this.display(userEmail, text)
      })
    socket.on('close', (code) => {
      if (this.#sockets.get(userEmail) !== socket) return
      this.#sockets.delete(userEmail)
      // 1000 and 1008 are final; otherwise the app connects to the same app session again.
      if (code !== 1000 && code !== 1008) this.#reconnect(sessionId, userEmail, url)
    })
  }

  #reconnect(sessionId: string, userEmail: string, url: string): void {
    const { reconnectMs } = this.#options
    if (reconnectMs === undefined) return
    setTimeout(() => {
      if (this.#isClosed || this.#sockets.has(userEmail)) return
      if (this.#isAway) this.#reconnect(sessionId, userEmail, url)
      else this.#connect(sessionId, userEmail, url)
    }, reconnectMs)
  }
}
