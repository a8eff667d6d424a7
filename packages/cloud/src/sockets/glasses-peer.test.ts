import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Metrics } from '../http/metrics.ts'
import { SessionRig } from '../session/testing/session-rig.ts'
import { WsGlassesPeer } from './glasses-peer.ts'
import { serveGlasses } from './glasses-socket.ts'
import { defaultLimits } from './limits.ts'
import { SocketMetrics } from './socket-metrics.ts'
import { socketPair } from './testing/socket-pair.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Glasses that send LC3 for a while and leave. @returns what decoded it, if it is still there */
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
  const user = { id: 'u1', email: 'ada@example.com' }
  const open = async () => rig.session
  serveGlasses(server, peer, user, { clock: rig.clock, limits: defaultLimits, metrics, open, failed() {} })
  await client.next('connection_ack')
  const first = new WeakRef(peer.sound)
  rig.session.audio.setFormat({ format: 'lc3', frameSizeBytes: 20 })
  const second = new WeakRef(peer.sound)
  assert.notEqual(first.deref(), second.deref())
  client.send(Buffer.alloc(20))
  client.send({ type: 'ping' })
  await client.next('pong')
  assert.equal(rig.session.audio.recent().kind, 'sound')
  client.ws.close()
  await client.closed()
  return [first, second]
}

test('MIC-41: what decoded the sound of a connection is gone with it', async () => {
  const rig = new SessionRig()
  const visits: WeakRef<object>[] = []
  // What the test's end closes holds sockets; those of an earlier scope hold nothing.
  const undoings: (() => unknown)[] = []
  for (let n = 0; n < 3; n += 1)
    visits.push(...(await visit({ after: (undo) => void undoings.push(undo) }, rig)))
  for (const undo of undoings.splice(0)) await undo()
  const deadline = Date.now() + 10_000
  while (visits.some((visit) => visit.deref() !== undefined)) {
    assert.ok(Date.now() < deadline, 'a decoder outlived its connection')
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  assert.equal(rig.session.isEnded, false)
})
