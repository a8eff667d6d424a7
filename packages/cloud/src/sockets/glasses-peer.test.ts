import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Metrics } from '../http/metrics.ts'
import { AudioInput } from '../session/parts/audio-input.ts'
import { SessionRig } from '../session/testing/session-rig.ts'
import { WsGlassesPeer } from './glasses-peer.ts'
import { serveGlasses } from './glasses-socket.ts'
import { JsonPings } from './heartbeat.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets } from './socket-budget.ts'
import { SocketMetrics } from './socket-metrics.ts'
import { socketPair } from './testing/socket-pair.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Connects glasses, sends LC3 and disconnects. @returns weak references to the decoders of the connection */
async function visit(t: { after(undo: () => unknown): void }, rig: SessionRig) {
  const { server, client } = await socketPair(t)
  const peer = new WsGlassesPeer(
    server,
    defaultLimits,
    { audioDropped() {}, tooSlow() {} },
    undefined,
    'flat',
  )
  const metrics = new SocketMetrics(new Metrics())
  const budgets = new SocketBudgets(rig.clock, defaultLimits)
  const user = { id: 'u1', email: 'ada@example.com', tokensValidFrom: 0 }
  const attach = async () => {
    rig.session.attachGlasses(peer)
    return rig.session
  }
  serveGlasses(server, peer, user, {
    clock: rig.clock,
    limits: defaultLimits,
    metrics,
    budgets,
    jsonPings: new JsonPings(rig.clock),
    attach,
    failed() {},
  })
  await client.next('connection_ack')
  const first = new WeakRef(peer.decoder)
  rig.session.part(AudioInput).setFormat({ format: 'lc3', frameSizeBytes: 20 })
  const second = new WeakRef(peer.decoder)
  assert.notEqual(first.deref(), second.deref())
  client.send(Buffer.alloc(20))
  client.send({ type: 'ping' })
  await client.next('pong')
  assert.equal(rig.session.part(AudioInput).recent().kind, 'audio')
  client.ws.close()
  await client.closed()
  return [first, second]
}

test('MIC-41: the decoders of a connection are released with it', async () => {
  const rig = new SessionRig()
  const visits: WeakRef<object>[] = []
  // The cleanup functions of the test would keep the sockets alive, so run them before collecting garbage.
  const cleanups: (() => unknown)[] = []
  for (let n = 0; n < 3; n += 1)
    visits.push(...(await visit({ after: (undo) => void cleanups.push(undo) }, rig)))
  for (const undo of cleanups.splice(0)) await undo()
  const deadline = Date.now() + 20_000
  while (visits.some((visit) => visit.deref() !== undefined)) {
    assert.ok(Date.now() < deadline, 'a decoder was not released')
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  assert.equal(rig.session.isEnded, false)
})
