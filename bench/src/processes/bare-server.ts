import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Command, runCommonCommand } from './commands.ts'

// The baseline: `node:http` and `ws` alone. Two sockets of one pair (`?pair=N&side=glasses|app`) are connected: each
// frame of one is sent to the other. Each socket receives one message when it opens, as an acknowledgement.

const PING_INTERVAL_MS = 10_000

interface Body {
  readonly content: Buffer
  readonly contentType: string
}

const bodies = new Map<string, Body>()
const pairs = new Map<string, Partial<Record<string, WebSocket>>>()
const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '')
  if (!body) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': body.contentType, 'content-length': body.content.length })
  response.end(body.content)
})
const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false })

server.on('upgrade', (request, socket, head) => {
  wss.handleUpgrade(request, socket, head, (ws) => {
    const query = new URL(request.url ?? '/', 'http://bare').searchParams
    const id = query.get('pair') ?? ''
    const side = query.get('side') ?? 'glasses'
    const pair = pairs.get(id) ?? {}
    pairs.set(id, pair)
    pair[side] = ws
    const otherSide = side === 'app' ? 'glasses' : 'app'
    ws.on('message', (data, isBinary) => pair[otherSide]?.send(data, { binary: isBinary }))
    ws.send('{"type":"connection_ack"}')
  })
})

function run(command: Command): number {
  if (command.command === 'serve') {
    const { path, body, contentType } = command
    bodies.set(path, { content: Buffer.from(body), contentType })
    return 0
  }
  if (command.command === 'ping-sockets') {
    setInterval(() => {
      for (const ws of wss.clients) ws.ping()
    }, PING_INTERVAL_MS)
    return 0
  }
  const result = runCommonCommand(command)
  if (result === undefined) throw new Error(`The bare server does not support ${command.command}`)
  return result
}

process.on('disconnect', () => process.exit())
process.on('message', (command: Command) => process.send?.({ result: run(command) }))
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
