import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { Scope } from './scope.ts'

/** A response that passes the proxy. */
export interface PassingResponse {
  readonly path: string
  status: number
  /** Parsed if it is JSON. */
  body: unknown
}

/** How a proxy deviates from passing everything on. */
export interface Change {
  response?(response: PassingResponse): void
  /** Changes a text frame of the cloud; a promise delays it. */
  frame?(message: Record<string, unknown>): Record<string, unknown> | Promise<Record<string, unknown>>
}

/** A reverse proxy that can change what the cloud sends. */
export interface ChangingProxy {
  readonly url: string
  /** URL of the cloud; set it before the first request. */
  target: string
  change: Change
}

/** Starts a proxy; the scope closes it. */
export async function startChangingProxy(scope: Scope): Promise<ChangingProxy> {
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy())
  })
  // The cloud answers pings: the answer says that it has received what was sent before.
  const sockets = new WebSocketServer({ noServer: true, autoPong: false })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const client of sockets.clients) client.terminate()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const proxy: ChangingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    change: {},
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { authorization, 'content-type': contentType } = request.headers
    const headers = Object.entries({
      authorization,
      'content-type': contentType,
      'x-api-key': request.headers['x-api-key'],
      'x-package-name': request.headers['x-package-name'],
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]]))
    const received = await fetch(proxy.target + request.url, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const text = await received.text()
    const isJson = received.headers.get('content-type')?.startsWith('application/json') ?? false
    const passing: PassingResponse = {
      path: (request.url ?? '').replace(/\?.*/, ''),
      status: received.status,
      body: isJson ? JSON.parse(text) : text,
    }
    proxy.change.response?.(passing)
    const kept = ['content-type', 'content-disposition', 'retry-after'].flatMap((name) => {
      const value = received.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    response.writeHead(passing.status, Object.fromEntries(kept))
    response.end(isJson ? JSON.stringify(passing.body) : text)
  }

  server.on('upgrade', (request, socket, head) => {
    const { authorization, 'sec-websocket-protocol': protocol } = request.headers
    const upstream = new WebSocket(
      proxy.target.replace('http', 'ws') + request.url,
      protocol === undefined ? [] : [protocol],
      { headers: authorization === undefined ? {} : { authorization } },
    )
    upstream.on('error', () => {})
    upstream.on('unexpected-response', (_request, response) => {
      socket.end(`HTTP/1.1 ${response.statusCode} Rejected\r\ncontent-length: 0\r\n\r\n`)
      upstream.terminate()
    })
    let passing = Promise.resolve()
    const inOrder = (step: () => unknown) => {
      passing = passing.then(step).then(
        () => {},
        () => {},
      )
    }
    const client = Promise.withResolvers<WebSocket>()
    // Registered before the handshake of the client, because the cloud sends first.
    upstream.on('message', (data, isBinary) =>
      inOrder(async () => {
        const { frame } = proxy.change
        const changed =
          isBinary || frame === undefined
            ? data.toString()
            : JSON.stringify(await frame(JSON.parse(data.toString())))
        ;(await client.promise).send(isBinary ? data : changed)
      }),
    )
    upstream.on('pong', (data) => inOrder(async () => (await client.promise).pong(data)))
    upstream.on('close', (code) =>
      inOrder(async () => {
        const open = await client.promise
        if (code === 1006) open.terminate()
        else if (code === 1005) open.close()
        else open.close(code)
      }),
    )
    upstream.on('open', () =>
      sockets.handleUpgrade(request, socket, head, (opened) => {
        opened.on('error', () => {})
        opened.on('ping', (data) => upstream.ping(data))
        opened.on('message', (data, isBinary) => upstream.send(isBinary ? data : data.toString()))
        opened.on('close', (code) => (code === 1000 ? upstream.close(1000) : upstream.terminate()))
        client.resolve(opened)
      }),
    )
  })
  return proxy
}
