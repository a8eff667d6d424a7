import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Scope } from './test-cloud.ts'

/** What an app server does when it is called. */
export type StartBehaviour =
  /** Connects to the cloud and answers once it is acknowledged, as the app SDK does. */
  | 'connect'
  /** Answers, and never connects. */
  | 'never-connect'
  /** Takes a call to start and says nothing. */
  | 'silent'
  /** Answers every call with this status. */
  | number

/** A webhook call as it arrived. */
export interface WebhookCall {
  readonly type: string
  readonly sessionId: string
  readonly userId: string
  readonly reason?: string
  readonly mentraOSWebsocketUrl?: string
}

/** A small app server that speaks the documented protocol, and can be told to misbehave. */
export interface AppServer {
  readonly url: string
  readonly calls: readonly WebhookCall[]
  behaviour: StartBehaviour
  /** Waits for a call of a type, one that came already included. */
  called(type: string): Promise<WebhookCall>
  /** The key it presents; it has to be told the one it was registered with. */
  apiKey: string
}

/** Starts an app server for one package; it and its sockets are gone when the scope ends. */
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
    behaviour: 'connect' as StartBehaviour,
    apiKey: '',
    async called(type: string): Promise<WebhookCall> {
      const signal = AbortSignal.timeout(20_000)
      while (true) {
        const call = calls.find((candidate) => candidate.type === type)
        if (call !== undefined) return call
        await once(arrivals, 'call', { signal })
      }
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call: WebhookCall = JSON.parse(Buffer.concat(chunks).toString())
    calls.push(call)
    arrivals.emit('call')
    if (typeof app.behaviour === 'number') return void response.writeHead(app.behaviour).end('{}')
    if (call.type !== 'session_request') return void response.end('{"status":"success"}')
    if (app.behaviour === 'silent') return
    if (app.behaviour === 'connect') await connect(call)
    response.end('{"status":"success"}')
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
