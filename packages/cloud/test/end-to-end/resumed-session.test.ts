import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import { findFreePort } from '../../src/http/free-port.ts'
import { spawnCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const packageName = 'dev.my-app.raw'

test('an app resumes its session after the cloud was killed and restarted', async (t) => {
  const requests: { type: string; sessionId: string; mentraOSWebsocketUrl: string }[] = []
  const appPort = await findFreePort()
  const { apiKey, first } = await start()
  let socket: WebSocket | undefined
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      requests.push(JSON.parse(body))
      connect(requests[0]?.mentraOSWebsocketUrl ?? '').then(() => response.end('{"status":"success"}'))
    })
  }).listen(appPort, '127.0.0.1')
  t.after(() => {
    socket?.terminate()
    server.closeAllConnections()
    server.close()
  })

  async function start() {
    const env = { PORT: String(await findFreePort()) }
    const first = await spawnCloud(t, { env })
    const { apiKey } = await first.registerApp({ packageName, publicUrl: `http://127.0.0.1:${appPort}` })
    return { apiKey, first }
  }
  /** Connects and authenticates the app; resolves with the acknowledgement. */
  async function connect(url: string): Promise<{ type: string; sessionId: string }> {
    socket = new WebSocket(url)
    await once(socket, 'open')
    const acknowledgement = once(socket, 'message')
    const sessionId = requests[0]?.sessionId
    socket.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey }))
    return JSON.parse(
      String((await withTimeout(20_000, acknowledgement, 'no acknowledgement was received'))[0]),
    )
  }

  const token = await first.token('resumed-wearer@example.com')
  const glasses = new Glasses({ url: first.url, token, reconnect: false })
  t.after(() => glasses.disconnect())
  const { sessionId } = await glasses.connect()
  const phone = new PhoneApi({ url: first.url, token })
  await phone.install(packageName)
  await phone.startApp(packageName)
  await first.kill()

  await spawnCloud(t, { env: first.env })
  const ack = await connect(requests[0]?.mentraOSWebsocketUrl ?? '')
  assert.equal(ack.type, 'tpa_connection_ack')
  assert.equal(ack.sessionId, `${sessionId}-${packageName}`)
  const again = await glasses.connect()
  assert.equal(again.sessionId, sessionId, 'the user session changed')
  assert.deepEqual(again.userSession.activeAppSessions, [packageName])
  assert.equal(requests.length, 1, 'no webhook was called')
})
