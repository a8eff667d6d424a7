import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Package name of the app that every user of a soak runs. */
export const SOAK_PACKAGE = 'bench.soak'

const RECONNECT_DELAY_MS = 200
const SUBSCRIPTIONS = ['audio_chunk', 'transcription:en-US', 'button_press', 'VAD', 'location_update']

/** App server of a soak: connects and reconnects as the app SDK does, and responds to every message with a display event. */
export class SoakApp {
  apiKey = ''
  readonly #server: Server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    if (this.#isAway) return void response.writeHead(503).end()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { type, sessionId, userId, mentraOSWebsocketUrl } = JSON.parse(body)
      if (type === 'session_request') this.#connect(sessionId, userId, mentraOSWebsocketUrl)
      response.end('{"status":"success"}')
    })
  })
  /** The current socket of each user. */
  readonly #sockets = new Map<string, WebSocket>()
  #isClosed = false
  #isAway = false
  messagesReceived = 0
  /** Receives the button of each press that reaches the app. */
  onButton: (buttonId: string) => void = () => {}

  /** @returns the URL of the server */
  async listen(): Promise<string> {
    this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Sends a message or an invalid text for a user; does nothing while the app is not connected. */
  send(userEmail: string, message: object | string): void {
    const socket = this.#sockets.get(userEmail)
    if (socket?.readyState !== WebSocket.OPEN) return
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Drops the socket of a user without a closing handshake; the app reconnects. */
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

  close(): void {
    this.#isClosed = true
    for (const socket of this.#sockets.values()) socket.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #connect(sessionId: string, userEmail: string, url: string): void {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    const previous = this.#sockets.get(userEmail)
    this.#sockets.set(userEmail, socket)
    previous?.terminate()
    socket.on('error', () => {})
    socket.on('open', () => {
      const { apiKey } = this
      socket.send(
        JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName: SOAK_PACKAGE, apiKey }),
      )
      socket.send(JSON.stringify({ type: 'subscription_update', subscriptions: SUBSCRIPTIONS }))
    })
    socket.on('message', (data, isBinary) => {
      this.messagesReceived += 1
      if (isBinary) return
      const buttonId = /"buttonId":"([^"]*)"/.exec(String(data))?.[1]
      if (buttonId !== undefined) this.onButton(buttonId)
      this.send(userEmail, displayEvent(`Message ${this.messagesReceived}`))
    })
    socket.on('close', (code) => {
      if (this.#sockets.get(userEmail) !== socket) return
      this.#sockets.delete(userEmail)
      // 1000 and 1008 are final; otherwise the app reconnects to the same app session.
      if (this.#isClosed || code === 1000 || code === 1008) return
      this.#reconnect(sessionId, userEmail, url)
    })
  }

  #reconnect(sessionId: string, userEmail: string, url: string): void {
    setTimeout(() => {
      if (this.#isClosed || this.#sockets.has(userEmail)) return
      if (this.#isAway) this.#reconnect(sessionId, userEmail, url)
      else this.#connect(sessionId, userEmail, url)
    }, RECONNECT_DELAY_MS)
  }
}

export function displayEvent(text: string): object {
  return {
    type: 'display_event',
    packageName: SOAK_PACKAGE,
    view: 'main',
    layout: { layoutType: 'text_wall', text },
    timestamp: new Date().toISOString(),
  }
}
