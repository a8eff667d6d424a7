import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { type CloseInfo, Glasses, type GlassesOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const within = () => ({ signal: AbortSignal.timeout(20_000) })

function glassesOf(t: TestContext, cloud: FakeCloud, options: Partial<GlassesOptions> = {}): Glasses {
  const glasses = new Glasses({ url: cloud.url, token: 't0ken', ...options })
  t.after(() => glasses.disconnect())
  return glasses
}

const reconnect = { firstMs: 100, maxMs: 400, factor: 2, jitter: 0.5 }

describe('Opening the socket', () => {
  test('SIM-1: the token goes into the header, or into the query when told to', async (t) => {
    const cloud = await FakeCloud.open(t)
    await glassesOf(t, cloud).connect()
    await glassesOf(t, cloud, { url: cloud.url.replace('http', 'ws'), tokenIn: 'query' }).connect()
    await glassesOf(t, cloud, { url: `${cloud.url}/at/home/` }).connect()
    const [first, second, third] = cloud.connections
    assert.equal(first?.request.url, '/glasses-ws')
    assert.equal(third?.request.url, '/at/home/glasses-ws')
    assert.equal(first?.request.headers.authorization, 'Bearer t0ken')
    assert.equal(second?.request.url, '/glasses-ws?token=t0ken')
    assert.equal(second?.request.headers.authorization, undefined)
  })

  test('SIM-2: the acknowledgement resolves connect, and the glasses are reported once a connection', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    const glasses = glassesOf(t, cloud, {
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

    const repeated = once(glasses, 'ack', within())
    first.send({ type: 'connection_ack', sessionId: 'session1' })
    await repeated
    glasses.pressButton()
    await first.frame('button_press')
    assert.equal(first.frames('glasses_connection_state').length, 1)

    const retry = once(glasses, 'reconnecting', within())
    first.socket.terminate()
    await retry
    const back = once(glasses, 'ack', within())
    await clock.advance(100)
    await back
    const second = await cloud.connection(1)
    assert.equal((await second.frame('glasses_connection_state')).status, 'RECONNECTED')
  })

  test('SIM-11: no glasses, no report, until some are put on', async (t) => {
    const cloud = await FakeCloud.open(t)
    const glasses = glassesOf(t, cloud, { model: null })
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
    await frameUntil(() => connection.frames('button_press').length === 2, connection)
    assert.equal(connection.frames('glasses_connection_state').at(-1)?.status, 'DISCONNECTED')
    assert.equal(glasses.model, null)
  })

  test('SIM-3: a refused handshake is told in the words of the cloud, and not tried again', async (t) => {
    const body = JSON.stringify({ type: 'connection_error', message: 'The token is not valid' })
    const cloud = await FakeCloud.open(t, { reject: { status: 401, body } })
    const glasses = glassesOf(t, cloud)
    const closes: CloseInfo[] = []
    glasses.on('close', (info) => closes.push(info))
    await assert.rejects(glasses.connect(), /The token is not valid/)
    assert.deepEqual(
      closes.map(({ status, willReconnect }) => ({ status, willReconnect })),
      [{ status: 401, willReconnect: false }],
    )
  })

  test('SIM-3: trouble on the side of the server is waited out', async (t) => {
    const cloud = await FakeCloud.open(t, { reject: { status: 503, body: 'starting' } })
    const clock = new ManualClock()
    const glasses = glassesOf(t, cloud, { clock, reconnect })
    const retry = once(glasses, 'reconnecting', within())
    const connected = glasses.connect()
    await retry
    cloud.options = {}
    await clock.advance(100)
    await connected
    assert.equal(glasses.isConnected, true)
  })

  test('SIM-6: without an acknowledgement connect gives up at its deadline and leaves no attempt behind', async (t) => {
    const cloud = await FakeCloud.open(t, { acknowledge: false })
    const clock = new ManualClock()
    const glasses = glassesOf(t, cloud, { clock })
    const failed = assert.rejects(
      glasses.connect({ timeoutMs: 3_000 }),
      /Waited 3000 ms for the cloud to acknowledge/,
    )
    const connection = await cloud.connection(0)
    const gone = once(connection, 'gone', within())
    await clock.advance(3_000)
    await failed
    await gone
    await clock.advance(60_000)
    assert.equal(cloud.connections.length, 1)
  })

  test('SIM-6: nobody there is named as the trouble', async () => {
    const glasses = new Glasses({ url: 'http://127.0.0.1:1', token: 't', reconnect: false })
    await assert.rejects(glasses.connect(), /Could not connect: .*ECONNREFUSED/)
  })
})

describe('Coming back', () => {
  test('SIM-4: waits double up to the limit, are shortened by chance, and start anew after an acknowledgement', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    let random = 0
    const glasses = glassesOf(t, cloud, { clock, reconnect, random: () => random })
    await glasses.connect()
    cloud.options = { reject: { status: 502, body: '' } }
    const waits: number[] = []
    for (let loss = 0; loss < 4; loss++) {
      const retry = once(glasses, 'reconnecting', within())
      if (loss === 0) cloud.connections[0]?.socket.terminate()
      else await clock.advance(waits.at(-1) ?? 0)
      waits.push((await retry)[0].delayMs)
    }
    assert.deepEqual(waits, [100, 200, 400, 400])

    cloud.options = {}
    const back = once(glasses, 'ack', within())
    await clock.advance(400)
    await back
    random = 1
    const retry = once(glasses, 'reconnecting', within())
    glasses.loseConnection()
    assert.deepEqual((await retry)[0], { attempt: 1, delayMs: 50 })
  })

  for (const code of [1000, 1008, 4401, 4409]) {
    test(`SIM-5: close code ${code} is final`, async (t) => {
      const cloud = await FakeCloud.open(t)
      const glasses = glassesOf(t, cloud)
      await glasses.connect()
      const closed = once(glasses, 'close', within())
      cloud.connections[0]?.socket.close(code, 'go away')
      assert.deepEqual((await closed)[0], { code, reason: 'go away', willReconnect: false })
    })
  }

  test('SIM-4 SIM-5: other close codes are not final, the own goodbye is', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    const glasses = glassesOf(t, cloud, { clock, reconnect })
    await glasses.connect()
    for (const [at, code] of [1001, 1011, 1012].entries()) {
      const retry = once(glasses, 'reconnecting', within())
      cloud.connections[at]?.socket.close(code)
      await retry
      const back = once(glasses, 'ack', within())
      await clock.advance(100)
      await back
    }
    const closed = once(glasses, 'close', within())
    await glasses.disconnect()
    assert.equal((await closed)[0].willReconnect, false)
    assert.equal(glasses.isConnected, false)
    assert.throws(() => glasses.pressButton(), /not connected/)
  })
})

describe('Staying alive', () => {
  test('SIM-7: a pong that stays away cuts the connection', async (t) => {
    const cloud = await FakeCloud.open(t)
    const clock = new ManualClock()
    const glasses = glassesOf(t, cloud, {
      clock,
      reconnect,
      jsonPing: { intervalMs: 5_000, timeoutMs: 5_000 },
    })
    await glasses.connect()
    const first = await cloud.connection(0)
    await first.frame('ping')
    const heard = once(glasses, 'message', within())
    first.send({ type: 'pong' })
    await heard
    await clock.advance(5_000)
    await frameUntil(() => first.frames('ping').length === 2, first)
    assert.equal(glasses.isConnected, true)

    const gone = once(first, 'gone', within())
    const retry = once(glasses, 'reconnecting', within())
    await clock.advance(5_000)
    await gone
    await retry
    const back = once(glasses, 'ack', within())
    await clock.advance(100)
    await back
  })

  test('SIM-8: pings of the cloud are answered', async (t) => {
    const cloud = await FakeCloud.open(t)
    await glassesOf(t, cloud).connect()
    const connection = await cloud.connection(0)
    connection.send({ type: 'ping' })
    await connection.frame('pong')
    const pong = once(connection.socket, 'pong', within())
    connection.socket.ping()
    await pong
  })
})

describe('Dialects', () => {
  test('SIM-9: flat and envelope, announced by the first message', async (t) => {
    const cloud = await FakeCloud.open(t)
    await glassesOf(t, cloud).connect()
    await glassesOf(t, cloud, { dialect: 'envelope' }).connect()
    const flat = await (await cloud.connection(0)).frame('glasses_connection_state')
    const envelope = await (await cloud.connection(1)).frame('glasses_connection_state')
    assert.equal(flat.modelName, 'Simulated Glasses')
    assert.equal('data' in flat, false)
    assert.deepEqual(Object.keys(envelope), ['type', 'data'])
    assert.equal((envelope.data as Record<string, unknown>).modelName, 'Simulated Glasses')
  })

  test('SIM-9: an envelope is read as its fields', async (t) => {
    const cloud = await FakeCloud.open(t)
    const glasses = glassesOf(t, cloud, { dialect: 'envelope' })
    await glasses.connect()
    cloud.connections[0]?.send({ type: 'app_stopped', data: { packageName: 'a.b', reason: 'error' } })
    assert.equal((await glasses.waitForMessage('app_stopped')).packageName, 'a.b')
  })

  test('SIM-9: by the query, and by the subprotocol', async (t) => {
    const cloud = await FakeCloud.open(t)
    await glassesOf(t, cloud, { dialect: 'envelope', dialectBy: 'query' }).connect()
    await glassesOf(t, cloud, { dialect: 'envelope', dialectBy: 'subprotocol' }).connect()
    assert.equal(cloud.connections[0]?.request.url, '/glasses-ws?dialect=envelope')
    assert.equal(cloud.connections[1]?.socket.protocol, 'glasses-cloud.v1')
    assert.throws(() => glassesOf(t, cloud, { dialectBy: 'subprotocol' }), /envelope/)
  })

  test('SIM-10: unknown messages are told, frames that are none are trouble, neither is the end', async (t) => {
    const cloud = await FakeCloud.open(t)
    const glasses = glassesOf(t, cloud)
    await glasses.connect()
    const connection = await cloud.connection(0)
    const heard = once(glasses, 'message', within())
    connection.send({ type: 'start_holodeck', deck: 4 })
    assert.deepEqual((await heard)[0], { type: 'start_holodeck', deck: 4 })
    const trouble = once(glasses, 'error', within())
    connection.socket.send('no json')
    assert.match((await trouble)[0].message, /not JSON/)
    // Without a listener the same trouble must not bring the process down.
    connection.socket.send(Buffer.from('[1]'))
    connection.send({ type: 'last' })
    await glasses.waitForMessage('last')
    assert.equal(glasses.isConnected, true)
  })
})

async function frameUntil(reached: () => boolean, connection: ClientConnection): Promise<void> {
  while (!reached()) await once(connection, 'frame', within())
}
