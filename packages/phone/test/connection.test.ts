import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { type CloseInfo, Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const timeout = () => ({ signal: AbortSignal.timeout(20_000) })

function createGlasses(t: TestContext, cloud: FakeCloud, options: Partial<GlassesOptions> = {}): Glasses {
  const glasses = new Glasses({ url: cloud.url, token: 't0ken', ...options })
  t.after(() => glasses.disconnect())
  return glasses
}

const reconnect = { firstMs: 100, maxMs: 400, factor: 2, jitter: 0.5 }

describe('Connecting', () => {
  test('the token is in the header, or in the query if configured', async (t) => {
    const cloud = await FakeCloud.start(t)
    await createGlasses(t, cloud).connect()
    await createGlasses(t, cloud, { url: cloud.url.replace('http', 'ws'), tokenIn: 'query' }).connect()
    await createGlasses(t, cloud, { url: `${cloud.url}/at/home/` }).connect()
    const [first, second, third] = cloud.connections
    assert.equal(first?.request.url, '/glasses-ws')
    assert.equal(third?.request.url, '/at/home/glasses-ws')
    assert.equal(first?.request.headers.authorization, 'Bearer t0ken')
    assert.equal(second?.request.url, '/glasses-ws?token=t0ken')
    assert.equal(second?.request.headers.authorization, undefined)
  })

  test('the acknowledgement resolves connect, and the glasses are reported once per connection', async (t) => {
    const cloud = await FakeCloud.start(t)
    const clock = new ManualClock()
    const glasses = createGlasses(t, cloud, {
      clock,
      reconnect,
      model: 'Mentra Live',
      wifi: { connected: true, ssid: 'home' },
    })
    assert.equal((await glasses.connect()).sessionId, 'session1')
    assert.equal((await glasses.connect()).sessionId, 'session1')
    const first = await cloud.connection(0)
    const report = await first.frame('glasses_connection_state')
    assert.equal(report.modelName, 'Mentra Live')
    assert.equal(report.status, 'CONNECTED')
    assert.deepEqual(report.wifi, { connected: true, ssid: 'home' })

    const repeated = once(glasses, 'ack', timeout())
    first.send({ type: 'connection_ack', sessionId: 'session1' })
    await repeated
    glasses.pressButton('left')
    await first.frame('button_press')
    assert.equal(first.frames('glasses_connection_state').length, 1)

    const retry = once(glasses, 'reconnecting', timeout())
    first.socket.terminate()
    await retry
    const back = once(glasses, 'ack', timeout())
    await clock.advance(100)
    await back
    const second = await cloud.connection(1)
    assert.equal((await second.frame('glasses_connection_state')).status, 'RECONNECTED')
  })

  test('glasses are reported only while they are connected', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = createGlasses(t, cloud, { model: null })
    await glasses.connect()
    glasses.pressButton()
    const connection = await cloud.connection(0)
    await connection.frame('button_press')
    assert.deepEqual(connection.frames('glasses_connection_state'), [])
    glasses.putOn('Even Realities G1')
    assert.equal((await connection.frame('glasses_connection_state')).modelName, 'Even Realities G1')
    assert.equal(glasses.model, 'Even Realities G1')
    glasses.takeOff()
    glasses.pressButton('other')
    await waitForFrames(() => connection.frames('button_press').length === 2, connection)
    assert.equal(connection.frames('glasses_connection_state').at(-1)?.status, 'DISCONNECTED')
    assert.equal(glasses.model, null)
  })

  test('SIM-3: a handshake rejected with 401', async (t) => {
    const body = JSON.stringify({ type: 'connection_error', message: 'The token is not valid' })
    const cloud = await FakeCloud.start(t, { reject: { status: 401, body } })
    const glasses = createGlasses(t, cloud)
    const closes: CloseInfo[] = []
    glasses.on('close', (info) => closes.push(info))
    await assert.rejects(glasses.connect(), /The token is not valid/)
    assert.deepEqual(
      closes.map(({ status, willReconnect }) => ({ status, willReconnect })),
      [{ status: 401, willReconnect: false }],
    )
  })

  test('SIM-3: a handshake rejected because of the server is retried', async (t) => {
    const cloud = await FakeCloud.start(t, { reject: { status: 503, body: 'starting' } })
    const clock = new ManualClock()
    const glasses = createGlasses(t, cloud, { clock, reconnect })
    const retry = once(glasses, 'reconnecting', timeout())
    const connected = glasses.connect()
    await retry
    cloud.options = {}
    await clock.advance(100)
    await connected
    assert.equal(glasses.isConnected, true)
  })

  test('without an acknowledgement connect fails at its deadline and leaves no attempt behind', async (t) => {
    const cloud = await FakeCloud.start(t, { acknowledge: false })
    const clock = new ManualClock()
    const glasses = createGlasses(t, cloud, { clock })
    const failed = assert.rejects(
      glasses.connect({ timeoutMs: 3_000 }),
      /Timed out after 3000 ms waiting for the cloud to acknowledge/,
    )
    const connection = await cloud.connection(0)
    const closed = once(connection, 'closed', timeout())
    await clock.advance(3_000)
    await failed
    await closed
    await clock.advance(60_000)
    assert.equal(cloud.connections.length, 1)
  })

  test('an unreachable cloud is named as the reason', async () => {
    const glasses = new Glasses({ url: 'http://127.0.0.1:1', token: 't', reconnect: false })
    await assert.rejects(glasses.connect(), /Could not connect: .*ECONNREFUSED/)
  })
})

describe('Reconnecting', () => {
  test('SIM-4: delays double up to the limit, have jitter, and are reset by an acknowledgement', async (t) => {
    const cloud = await FakeCloud.start(t)
    const clock = new ManualClock()
    let random = 0
    const glasses = createGlasses(t, cloud, { clock, reconnect, random: () => random })
    await glasses.connect()
    cloud.options = { reject: { status: 502, body: '' } }
    const delays: number[] = []
    for (let loss = 0; loss < 4; loss++) {
      const retry = once(glasses, 'reconnecting', timeout())
      if (loss === 0) cloud.connections[0]?.socket.terminate()
      else await clock.advance(delays.at(-1) ?? 0)
      delays.push((await retry)[0].delayMs)
    }
    assert.deepEqual(delays, [100, 200, 400, 400])

    cloud.options = {}
    const back = once(glasses, 'ack', timeout())
    await clock.advance(400)
    await back
    random = 1
    const retry = once(glasses, 'reconnecting', timeout())
    glasses.loseConnection()
    assert.deepEqual((await retry)[0], { attempt: 1, delayMs: 50 })
  })

  for (const code of [1000, 1008, 4401, 4409]) {
    test(`SIM-5: close code ${code} is final`, async (t) => {
      const cloud = await FakeCloud.start(t)
      const glasses = createGlasses(t, cloud)
      await glasses.connect()
      const closed = once(glasses, 'close', timeout())
      cloud.connections[0]?.socket.close(code, 'closed by the test')
      assert.deepEqual((await closed)[0], { code, reason: 'closed by the test', willReconnect: false })
    })
  }

  test('SIM-4 SIM-5: other close codes are not final; disconnect is', async (t) => {
    const cloud = await FakeCloud.start(t)
    const clock = new ManualClock()
    const glasses = createGlasses(t, cloud, { clock, reconnect })
    await glasses.connect()
    for (const [at, code] of [1001, 1011, 1012].entries()) {
      const retry = once(glasses, 'reconnecting', timeout())
      cloud.connections[at]?.socket.close(code)
      await retry
      const back = once(glasses, 'ack', timeout())
      await clock.advance(100)
      await back
    }
    const closed = once(glasses, 'close', timeout())
    await glasses.disconnect()
    assert.equal((await closed)[0].willReconnect, false)
    assert.equal(glasses.isConnected, false)
    assert.throws(() => glasses.pressButton(), /not connected/)
  })
})

describe('Pings', () => {
  test('a missing pong terminates the connection', async (t) => {
    const cloud = await FakeCloud.start(t)
    const clock = new ManualClock()
    const glasses = createGlasses(t, cloud, {
      clock,
      reconnect,
      jsonPing: { intervalMs: 5_000, timeoutMs: 5_000 },
    })
    await glasses.connect()
    const first = await cloud.connection(0)
    await first.frame('ping')
    const received = once(glasses, 'message', timeout())
    first.send({ type: 'pong' })
    await received
    await clock.advance(5_000)
    await waitForFrames(() => first.frames('ping').length === 2, first)
    assert.equal(glasses.isConnected, true)

    const closed = once(first, 'closed', timeout())
    const retry = once(glasses, 'reconnecting', timeout())
    await clock.advance(5_000)
    await closed
    await retry
    const back = once(glasses, 'ack', timeout())
    await clock.advance(100)
    await back
  })

  test('responds to pings of the cloud', async (t) => {
    const cloud = await FakeCloud.start(t)
    await createGlasses(t, cloud).connect()
    const connection = await cloud.connection(0)
    connection.send({ type: 'ping' })
    await connection.frame('pong')
    const pong = once(connection.socket, 'pong', timeout())
    connection.socket.ping()
    await pong
  })
})

describe('Dialects', () => {
  test('SIM-9: flat and envelope, selected by the first message', async (t) => {
    const cloud = await FakeCloud.start(t)
    await createGlasses(t, cloud).connect()
    await createGlasses(t, cloud, { dialect: 'envelope' }).connect()
    const flat = await (await cloud.connection(0)).frame('glasses_connection_state')
    const envelope = await (await cloud.connection(1)).frame('glasses_connection_state')
    assert.equal(flat.modelName, 'Simulated Glasses')
    assert.equal('data' in flat, false)
    assert.deepEqual(Object.keys(envelope), ['type', 'data'])
    assert.equal((envelope.data as Record<string, unknown>).modelName, 'Simulated Glasses')
  })

  test('SIM-9: reads the fields of an envelope', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = createGlasses(t, cloud, { dialect: 'envelope' })
    await glasses.connect()
    cloud.connections[0]?.send({ type: 'app_stopped', data: { packageName: 'a.b', reason: 'error' } })
    assert.equal((await glasses.waitForMessage('app_stopped')).packageName, 'a.b')
  })

  test('SIM-9: selected by the query, and by the subprotocol', async (t) => {
    const cloud = await FakeCloud.start(t)
    await createGlasses(t, cloud, { dialect: 'envelope', dialectBy: 'query' }).connect()
    await createGlasses(t, cloud, { dialect: 'envelope', dialectBy: 'subprotocol' }).connect()
    assert.equal(cloud.connections[0]?.request.url, '/glasses-ws?dialect=envelope')
    assert.equal(cloud.connections[1]?.socket.protocol, 'glasses-cloud.v1')
    assert.throws(() => createGlasses(t, cloud, { dialectBy: 'subprotocol' }), /envelope/)
  })

  test('unknown messages are emitted, invalid frames are errors; neither closes the connection', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = createGlasses(t, cloud)
    await glasses.connect()
    const connection = await cloud.connection(0)
    const received = once(glasses, 'message', timeout())
    connection.send({ type: 'start_holodeck', deck: 4 })
    assert.deepEqual((await received)[0], { type: 'start_holodeck', deck: 4 })
    const failed = once(glasses, 'error', timeout())
    connection.socket.send('no json')
    assert.match((await failed)[0].message, /not JSON/)
    // Without a listener the same error must not end the process.
    connection.socket.send(Buffer.from('[1]'))
    connection.send({ type: 'last' })
    await glasses.waitForMessage('last')
    assert.equal(glasses.isConnected, true)
  })
})

async function waitForFrames(isReached: () => boolean, connection: ClientConnection): Promise<void> {
  while (!isReached()) await once(connection, 'frame', timeout())
}
