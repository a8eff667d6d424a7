import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'

/** Server of the benchmarks' app: connects to the cloud as the app SDK does when it receives a session request. */
export class AppServer {
  /** API key of the app, for its sockets. */
  apiKey = ''
  /** Where it connects; by default the URL in the session request. */
  socketUrl: string | undefined
  readonly #server: Server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { type, sessionId, mentraOSWebsocketUrl } = JSON.parse(body)
      if (type === 'session_request') void this.#connect(sessionId, this.socketUrl ?? mentraOSWebsocketUrl)
      response.end('{"status":"success"}')
    })
  })
  readonly #pending = new Map<string, (ws: WebSocket) => void>()

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

  close(): void {
    this.#server.close()
  }

  async #connect(sessionId: string, url: string): Promise<void> {
    const ws = new WebSocket(url, { perMessageDeflate: false })
    await once(ws, 'open')
    const { apiKey } = this
    ws.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName: 'bench.app', apiKey }))
    await once(ws, 'message')
    this.#pending.get(sessionId)?.(ws)
    this.#pending.delete(sessionId)
  }
}
