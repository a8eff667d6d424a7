import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { bearer, rejectedHandshake, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** A token as signed by another issuer. */
function tokenOf(claims: object, { alg = 'HS256', secret = testSecret } = {}): string {
  const signed = `${base64url(JSON.stringify({ alg, typ: 'JWT' }))}.${base64url(JSON.stringify(claims))}`
  if (alg === 'none') return `${signed}.`
  return `${signed}.${base64url(createHmac('sha256', secret).update(signed).digest())}`
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600
const uniqueEmail = () => `w-${randomUUID()}@ex-ample.com`

describe('glasses socket', () => {
  const scope = suiteScope()
  const clock = new VirtualClock(Date.now())
  let cloud: LocalCloud

  before(async () => {
    cloud = await startCloud(scope, { overrides: { clock } })
  })

  /** Connects glasses, by default of a new user, and waits for the acknowledgement. */
  async function connectGlasses(
    t: Scope,
    { userEmail = uniqueEmail(), query = '', protocols = [] as string[], autoPong = true } = {},
  ) {
    const token = await cloud.token(userEmail)
    const client = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws${query}`, {
      ...bearer(token),
      protocols,
      autoPong,
    })
    const ack = await client.next('connection_ack')
    return { client, ack, userEmail, token }
  }

  /** Waits until the cloud has read all messages that the client sent so far. */
  async function flushMessages(client: SocketClient): Promise<void> {
    client.send({ type: 'ping' })
    await client.next('pong')
  }

  describe('handshake', () => {
    test('SOC-1 SES-1 HTTP-18: core and glasses tokens in the header or the query, at each path', async (t) => {
      const userEmail = uniqueEmail()
      const core = await cloud.token(userEmail)
      const narrow = await cloud.token(userEmail, { scope: 'glasses' })
      for (const path of ['/glasses-ws', '/ws/client', '//glasses-ws']) {
        for (const token of [core, narrow]) {
          const byHeader = await SocketClient.open(t, cloud.wsUrl + path, bearer(token))
          assert.equal((await byHeader.next('connection_ack')).userId, userEmail)
          const byQuery = await SocketClient.open(t, `${cloud.wsUrl}${path}?livekit=true&token=${token}`)
          assert.equal((await byQuery.next('connection_ack')).userId, userEmail)
          assert.equal(byQuery.frames[0]?.type, 'connection_ack')
        }
      }
    })

    test('SOC-1: header and query, valid and null', async (t) => {
      const token = await cloud.token(uniqueEmail())
      const url = `${cloud.wsUrl}/glasses-ws?token=${token}`
      for (const nothing of ['null', 'undefined']) await SocketClient.open(t, url, bearer(nothing))
      assert.equal((await rejectedHandshake(url, bearer('wrong'))).status, 401)
    })

    test('SOC-2: a missing or invalid token returns 401 with a JSON body', async () => {
      const url = `${cloud.wsUrl}/glasses-ws`
      const userEmail = uniqueEmail()
      const claims = { sub: 'x', email: userEmail, exp: inAnHour() }
      const good = await cloud.token(userEmail)
      const invalid: Record<string, string> = {
        expired: await cloud.token(userEmail, { lifetimeMs: -3_600_000 }),
        'alg none': tokenOf(claims, { alg: 'none' }),
        'another secret': tokenOf(claims, { secret: 'another secret of the same length' }),
        'another scope': tokenOf({ ...claims, scope: 'app' }),
        'no expiry': tokenOf({ sub: 'x', email: userEmail }),
        'no e-mail': tokenOf({ sub: 'x', exp: inAnHour() }),
        tampered: `${good.slice(0, -4)}AAAA`,
        garbage: 'garbage',
      }
      for (const [what, token] of Object.entries(invalid)) {
        const { status, headers, body } = await rejectedHandshake(url, bearer(token))
        assert.equal(status, 401, what)
        assert.equal(headers['content-type'], 'application/json')
        const { timestamp, ...rest } = body
        assert.deepEqual(rest, { type: 'connection_error', code: 'INVALID_TOKEN', message: 'Invalid token' })
        assert.equal(new Date(String(timestamp)).toISOString(), timestamp)
      }
      assert.equal((await rejectedHandshake(url)).body.message, 'No token provided')
      assert.equal((await rejectedHandshake(`${url}?token=`)).status, 401)
    })

    test('SOC-3: another path returns 404, and no malformed target crashes the cloud', async (t) => {
      const token = await cloud.token(uniqueEmail())
      for (const path of ['/', '/glasses-ws/', '/socket', '/api/apps'])
        assert.equal((await rejectedHandshake(cloud.wsUrl + path, bearer(token))).status, 404)
      for (const target of ['//', 'http://[', '/\\\\', '*']) {
        const raw = connect(Number(new URL(cloud.url).port), '127.0.0.1')
        t.after(() => raw.destroy())
        raw.on('error', () => {})
        const ended = once(raw, 'close', { signal: AbortSignal.timeout(20_000) })
        raw.resume()
        raw.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
        await ended
      }
      await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
    })
  })

  describe('messages', () => {
    test('SOC-11: an invalid message returns MALFORMED_MESSAGE and keeps the socket open', async (t) => {
      const { client } = await connectGlasses(t)
      const invalid = [
        '{',
        'null',
        '[]',
        '{"type":7}',
        '{"type":"button_press"}',
        '{"type":"head_position","position":"sideways"}',
        '{"type":"start_app","packageName":""}',
        `{"type":"x","a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      ]
      for (const message of invalid) {
        client.send(message)
        const { code, message: reason, timestamp } = await client.next('connection_error')
        assert.equal(code, 'MALFORMED_MESSAGE', message.slice(0, 60))
        assert.ok(String(reason).length > 5)
        assert.ok(timestamp)
      }
      await flushMessages(client)
    })

    test('SOC-12: the cloud sends both forms until the glasses have sent a message, then uses their dialect', async (t) => {
      const flat = await connectGlasses(t)
      const { type, data, ...fields } = flat.ack
      assert.equal(type, 'connection_ack')
      assert.deepEqual(data, fields)
      flat.client.send({ type: 'connection_init' })
      const flatAck = await flat.client.next('connection_ack')
      assert.equal(flatAck.data, undefined)
      assert.equal(flatAck.sessionId, flat.ack.sessionId)

      const envelope = await connectGlasses(t)
      envelope.client.send({ type: 'connection_init', data: {} })
      const { data: inner, ...extraFields } = await envelope.client.next('connection_ack')
      assert.deepEqual(extraFields, { type: 'connection_ack' })
      assert.equal((inner as { userId: string }).userId, envelope.userEmail)
      envelope.client.send({ type: 'button_press', data: { buttonId: 7 } })
      const error = await envelope.client.next('connection_error')
      assert.deepEqual(Object.keys(error), ['type', 'data'])
      assert.equal((error.data as { code: string }).code, 'MALFORMED_MESSAGE')
    })

    test('SOC-13: the handshake can select the dialect', async (t) => {
      const flat = await connectGlasses(t, { query: '?dialect=flat' })
      assert.equal(flat.ack.data, undefined)
      for (const options of [{ query: '?dialect=envelope' }, { protocols: ['glasses-cloud.v1'] }]) {
        const { ack, client } = await connectGlasses(t, options)
        assert.deepEqual(Object.keys(ack), ['type', 'data'])
        assert.equal(client.ws.protocol, options.protocols?.[0] ?? '')
      }
    })

    test('SOC-16: the fields of a message cannot name another user', async (t) => {
      const victim = await connectGlasses(t)
      const { client } = await connectGlasses(t)
      const { userId: other, sessionId } = victim.ack
      client.send({ type: 'connection_init', userId: other, sessionId, coreToken: victim.token })
      const ack = await client.next('connection_ack')
      assert.notEqual(ack.userId, other)
      assert.notEqual(ack.sessionId, sessionId)
    })
  })

  describe('limits', () => {
    test('SOC-20: messages above 50 per second are dropped with one RATE_LIMITED error', async (t) => {
      const { client } = await connectGlasses(t)
      for (let n = 0; n < 70; n += 1) client.send({ type: 'ping' })
      assert.equal((await client.next('connection_error')).code, 'RATE_LIMITED')
      // The audio limit is separate, so this error proves that all messages were read.
      client.send(new Uint8Array(64 * 1024 + 1))
      assert.equal((await client.next('connection_error')).code, 'FRAME_TOO_LARGE')
      assert.equal(client.of('pong').length, 51, 'one ping in excess of the fifty is answered')
      assert.equal(client.of('connection_error').length, 2)
      clock.advance(1_000)
      await flushMessages(client)
    })

    test('SOC-23: a frame of more than 1 MiB closes the socket', async (t) => {
      for (const frame of ['x'.repeat(1024 * 1024 + 1), new Uint8Array(1024 * 1024 + 1)]) {
        const { client } = await connectGlasses(t)
        client.send(frame)
        assert.equal((await client.closed()).code, 1009)
      }
    })
  })

  describe('connection', () => {
    test('SOC-44 SES-4: a newer connection of the same user replaces the older one', async (t) => {
      const { client, userEmail, ack } = await connectGlasses(t)
      const newer = await connectGlasses(t, { userEmail })
      assert.deepEqual(await client.closed(), { code: 4409, reason: 'Replaced by a newer connection' })
      assert.equal(newer.ack.sessionId, ack.sessionId)
      await flushMessages(newer.client)
    })

    test('SOC-56: two phones that come back after every close: the one that is connected stays', async (t) => {
      const userEmail = uniqueEmail()
      let { client: connected, token } = await connectGlasses(t, { userEmail })
      /** Advances the clock while the phone responds to pings. */
      const pass = async (ms: number) => {
        clock.advance(ms)
        await receiveAll(connected)
        await flushMessages(connected)
      }
      for (let n = 0; n < 3; n += 1) {
        await pass(5_000)
        const { client } = await connectGlasses(t, { userEmail })
        assert.equal((await connected.closed()).reason, 'Replaced by a newer connection')
        connected = client
      }
      for (let n = 0; n < 3; n += 1) {
        const other = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
        assert.equal((await other.next('connection_error')).code, 'GLASSES_IN_USE')
        assert.deepEqual(await other.closed(), { code: 4409, reason: 'Another phone has the glasses' })
        assert.deepEqual(other.of('connection_ack'), [])
        await pass(20_000)
      }
      const notices = connected.of('display_event').map(({ layout }) => (layout as { title?: string }).title)
      assert.equal(notices.filter((title) => title === 'Two phones').length, 1)
      // Once the phones leave each other alone, the newest one takes over as before.
      for (let n = 0; n < 4; n += 1) await pass(16_000)
      await connectGlasses(t, { userEmail })
      assert.equal((await connected.closed()).reason, 'Replaced by a newer connection')
    })

    test('SOC-56: a phone that changes networks again and again replaces its dead connections', async (t) => {
      const userEmail = uniqueEmail()
      for (let n = 0; n < 3; n += 1) {
        await connectGlasses(t, { userEmail })
        clock.advance(5_000)
      }
      const { token } = await connectGlasses(t, { userEmail, autoPong: false })
      clock.advance(5_000)
      const back = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
      await receiveAll(back)
      // The dead connection does not respond within two seconds.
      clock.advance(2_000)
      await back.next('connection_ack')
    })

    /** Resolves once the client has received all that the cloud sent so far. A JSON ping would end those of the cloud. */
    async function receiveAll({ ws }: SocketClient): Promise<void> {
      const pong = once(ws, 'pong', { signal: AbortSignal.timeout(20_000) })
      ws.ping()
      await pong
    }

    test('SOC-50 SOC-53: an idle phone that closes its socket after 4 s without a message stays connected', async (t) => {
      const { client: phone } = await connectGlasses(t, { query: '?livekit=true&udpEncryption=true' })
      let lastMessageAt = clock.now()
      phone.ws.on('message', (data: Buffer) => {
        lastMessageAt = clock.now()
        if (JSON.parse(data.toString()).type === 'ping') phone.send({ type: 'pong' })
      })
      for (let check = 0; check < 15; check += 1) {
        clock.advance(2_000)
        await receiveAll(phone)
        if (clock.now() - lastMessageAt > 4_000) phone.ws.close()
      }
      assert.equal(phone.ws.readyState, phone.ws.OPEN)
      assert.equal(phone.of('ping').length, 15)
      assert.deepEqual(phone.of('connection_error'), [])
    })

    test('SOC-51: other clients, and phones that send pings, are sent none', async (t) => {
      const { client: other } = await connectGlasses(t, { query: '?livekit=true' })
      const { client: newer } = await connectGlasses(t, { query: '?livekit=true&udpEncryption=true' })
      clock.advance(2_000)
      await flushMessages(newer)
      clock.advance(10_000)
      await receiveAll(newer)
      await receiveAll(other)
      assert.deepEqual(
        [other, newer].map((client) => client.of('ping').length),
        [0, 1],
      )
    })

    test('SOC-40: a client that does not answer pings for 30 s is closed', async (t) => {
      const { client: alive } = await connectGlasses(t)
      const token = await cloud.token(uniqueEmail())
      const silent = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, {
        ...bearer(token),
        autoPong: false,
      })
      await silent.next('connection_ack')
      let pings = 0
      silent.ws.on('ping', () => {
        pings += 1
      })
      for (let beat = 1; beat <= 4; beat += 1) {
        const pinged = once(alive.ws, 'ping')
        clock.advance(10_000)
        await pinged
        await flushMessages(alive)
      }
      assert.equal((await silent.closed()).code, 1001)
      assert.ok(pings === 2 || pings === 3, `${pings} pings`)
      await flushMessages(alive)
    })

    test('SES-5 SES-6: a session ends after its grace period of 60 s without glasses', async (t) => {
      const { client, userEmail, ack } = await connectGlasses(t)
      const user = await cloud.operator.users.findByEmail(userEmail)
      assert.ok(user)
      const findSession = () => cloud.cloud.sessions.find(user.id)
      client.ws.close()
      await client.closed()
      clock.advance(59_000)
      const second = await connectGlasses(t, { userEmail })
      assert.equal(second.ack.sessionId, ack.sessionId)
      second.client.ws.close()
      await second.client.closed()
      // The grace period starts when the cloud notices the closed connection.
      const deadline = Date.now() + 20_000
      while ((await findSession()) && Date.now() < deadline) {
        clock.advance(10_000)
        await cloud.request('GET', '/healthz')
      }
      const third = await connectGlasses(t, { userEmail })
      assert.notEqual(third.ack.sessionId, ack.sessionId)
    })
  })
})

test('SOC-4 SOC-43: a closing cloud closes sockets with 1012 and rejects new ones with 503', async (t) => {
  const cloud = await startCloud(t)
  const token = await cloud.token(uniqueEmail())
  const url = `${cloud.wsUrl}/glasses-ws`
  const client = await SocketClient.open(t, url, bearer(token))
  await client.next('connection_ack')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  // A client that does not answer the close frame delays the shutdown.
  app.ws.pause()
  const stopped = cloud.stop()
  const rejected = await rejectedHandshake(url, bearer(token))
  assert.equal(rejected.status, 503)
  assert.equal(rejected.body.type, 'connection_error')
  assert.equal((await client.closed()).code, 1012)
  app.ws.resume()
  assert.equal((await app.closed()).code, 1012)
  await stopped
})
