import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerCommon, type Question } from './ask.ts'

// The baseline: `ws` alone. Sockets of one pair (`?pair=N&side=glasses|app`) are joined: what the glasses send as
// binary goes to the app.
const apps = new Map<string, WebSocket>()
const server = createServer()
const wss = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false })
server.on('upgrade', (request, socket, head) => {
  wss.handleUpgrade(request, socket, head, (ws) => {
    const query = new URL(request.url ?? '/', 'http://bare').searchParams
    const pair = query.get('pair') ?? ''
    if (query.get('side') === 'app') apps.set(pair, ws)
    else ws.on('message', (data) => apps.get(pair)?.send(data))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', (question: Question) => process.send?.({ answer: answerCommon(question) }))
