import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../http/metrics.ts'
import type { UserSession } from '../session/index.ts'
import { createAppDefinition, SessionRig } from '../session/testing/session-rig.ts'
import { serveGlasses } from './glasses-socket.ts'
import { JsonPings } from './heartbeat.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets } from './socket-budget.ts'
import { SocketMetrics } from './socket-metrics.ts'
import { socketPair } from './testing/socket-client.ts'
import { WsGlassesPeer } from './ws-peer.ts'

const A = 'dev.example.a'

/** Connects glasses whose session opens, or fails to open, when the test calls `open` or `fail`. */
async function openLater(t: { after(undo: () => unknown): void }) {
  const rig = new SessionRig([createAppDefinition(A)])
  const { server, client } = await socketPair(t)
  const { promise, resolve, reject } = Promise.withResolvers<UserSession>()
  const failures: unknown[] = []
  serveGlasses(
    server,
    new WsGlassesPeer(server, defaultLimits, { audioDropped() {}, tooSlow() {} }, undefined, 'both'),
    { id: 'u1', email: 'ada@example.com', tokensValidFrom: 0 },
    {
      clock: rig.clock,
      limits: defaultLimits,
      metrics: new SocketMetrics(new Metrics()),
      budgets: new SocketBudgets(rig.clock, defaultLimits),
      jsonPings: new JsonPings(rig.clock),
      attach: async (_, peer) => {
        const session = await promise
        session.attachGlasses(peer)
        return session
      },
      failed: (error) => void failures.push(error),
    },
  )
  return { rig, client, failures, open: () => resolve(rig.session), fail: reject }
}

test('SOC-10: a ping is answered while the session is being opened', async (t) => {
  const { client } = await openLater(t)
  client.send({ type: 'ping' })
  await client.next('pong')
  assert.deepEqual(client.of('connection_ack'), [])
})

test('SOC-53: a pong is accepted and not passed on to the session', async (t) => {
  const { rig, client, open } = await openLater(t)
  const received: string[] = []
  const { handleGlassesMessage } = rig.session
  rig.session.handleGlassesMessage = function (peer, message) {
    received.push(message.type)
    handleGlassesMessage.call(this, peer, message)
  }
  open()
  await client.next('connection_ack')
  for (const message of [{ type: 'pong' }, { type: 'request_settings' }, { type: 'ping' }])
    client.send(message)
  await client.next('pong')
  assert.deepEqual(received, ['request_settings'])
  assert.deepEqual(client.of('connection_error'), [])
})

test('SOC-14: messages and audio within the limits while the session is being opened', async (t) => {
  const { rig, client, open } = await openLater(t)
  const app = rig.runApp(A)
  rig.subscribe(app, 'first', 'second', 'audio_chunk')
  const seen = () => app.messagesOfType('data_stream').map(({ data }) => (data as { n: number }).n)
  client.send({ type: 'first', n: 0 })
  client.send(Uint8Array.of(1, 2))
  client.send({ type: 'second', n: 1 })
  for (let n = 2; n < 110; n += 1) {
    client.send({ type: 'first', n })
    if (n === 50) rig.clock.advance(1_000)
    if (n % 40 === 0) {
      client.send({ type: 'ping' })
      await client.next('pong')
      rig.clock.advance(1_000)
    }
  }
  client.send({ type: 'ping' })
  await client.next('pong')
  assert.deepEqual(seen(), [])
  open()
  await client.next('connection_ack')
  assert.deepEqual(
    seen(),
    Array.from({ length: 110 }, (_, n) => n),
  )
  assert.equal(app.audio.length, 1)
})

test('SOC-45: a socket whose session cannot be opened receives SESSION_ERROR and is closed with 1011', async (t) => {
  const { client, failures, fail } = await openLater(t)
  fail(new Error('no database'))
  const error = await client.next('connection_error')
  assert.equal(error.code, 'SESSION_ERROR')
  assert.equal((await client.closed()).code, 1011)
  assert.equal(failures.length, 1)
})
