import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { Connections } from './connections.ts'

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function startServer(t: TestContext, listener: RequestListener) {
  const server = createServer(listener)
  server.keepAliveTimeout = 60_000
  const connections = new Connections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, port, drain: (graceMs = 0, limitMs = 60_000) => connections.drain(graceMs, limitMs) }
}

describe('connections of a server', () => {
  test('PXY-24: connections that only the system has accepted are served', async (t) => {
    const { server, port, drain } = await startServer(t, (_, response) => void response.end('served'))
    let accepted = 0
    server.on('connection', () => {
      accepted += 1
    })
    const clients = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
    const connected = clients.map((client) => once(client, 'connect'))
    for (const client of clients) client.write(REQUEST)
    await Promise.race(connected)
    assert.ok(accepted < clients.length, 'Node has accepted all connections already')
    const drained = drain()
    const received = await Promise.all(clients.map((client) => text(client)))
    for (const response of received) assert.match(response, /^HTTP\/1\.1 200 [\s\S]*served$/)
    await drained
    assert.equal(accepted, clients.length)
  })

  test('PXY-24: a connection without a request stays open for the grace, and is served', async (t) => {
    const { server, port, drain } = await startServer(t, (_, response) => {
      if (!server.listening) response.setHeader('connection', 'close')
      response.end()
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const send = async () => {
      const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage]
      await text(response)
      return response.headers.connection
    }
    assert.equal(await send(), 'keep-alive')
    const drained = drain(60_000)
    while (server.listening) await new Promise(setImmediate)
    // The port is closed, so this is on the same connection.
    assert.equal(await send(), 'close')
    await drained
  })

  test('HTTP-42: a response that waits for a slow client is sent to its end', async (t) => {
    const sent = Buffer.alloc(20_000_000, 'x')
    const ended = Promise.withResolvers<void>()
    const { port, drain } = await startServer(t, (_, response) => {
      response.end(sent)
      ended.resolve()
    })
    const client = connect(port, '127.0.0.1').pause()
    client.write(REQUEST)
    await ended.promise
    const drained = drain()
    // Several looks for connections at rest.
    await new Promise((resolve) => setTimeout(resolve, 200))
    let received = 0
    client.on('data', (data) => {
      received += data.length
    })
    const closed = once(client, 'close')
    client.resume()
    await closed
    assert.ok(received > sent.length, `${received} bytes arrived`)
    await drained
  })
  test('HTTP-42: a request that does not complete in time is cut', async (t) => {
    const { server, port, drain } = await startServer(t, () => {})
    const arrived = once(server, 'request')
    const client = connect(port, '127.0.0.1')
    client.write(REQUEST)
    await arrived
    const closed = once(client.resume(), 'close')
    await drain(0, 100)
    await closed
  })
})
