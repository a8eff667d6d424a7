import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { SocketClient } from './socket-client.ts'

/** Both ends of a socket on loopback. */
export interface SocketPair {
  readonly server: WebSocket
  readonly client: SocketClient
}

/** Connects a client to a server socket without handlers; both are closed when the scope ends. */
export async function socketPair(scope: { after(undo: () => unknown): void }): Promise<SocketPair> {
  const wss = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  scope.after(() => {
    for (const ws of wss.clients) ws.terminate()
    wss.close()
  })
  await once(wss, 'listening')
  const connected = once(wss, 'connection')
  const { port } = wss.address() as AddressInfo
  const client = await SocketClient.open(scope, `ws://127.0.0.1:${port}`)
  const [server] = await connected
  return { server, client }
}
