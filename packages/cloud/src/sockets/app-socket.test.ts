import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Metrics } from '../http/metrics.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import type { Admission } from './app-admission.ts'
import { serveApp } from './app-socket.ts'
import { defaultLimits } from './limits.ts'
import { SocketBudgets } from './socket-budget.ts'
import { SocketMetrics } from './socket-metrics.ts'
import { socketPair } from './testing/socket-client.ts'
import { WsPeer } from './ws-peer.ts'

const init = {
  type: 'tpa_connection_init',
  packageName: 'dev.example.a',
  apiKey: 'k',
  sessionId: 's-dev.example.a',
}

/** Connects an app whose admission is decided by the test. */
async function connect(t: { after(cleanUp: () => unknown): void }) {
  const clock = new VirtualClock()
  const { server, client } = await socketPair(t)
  const { promise, reject } = Promise.withResolvers<Admission>()
  const requested = Promise.withResolvers<void>()
  const failures: unknown[] = []
  const events = { audioDropped() {}, tooSlow() {} }
  serveApp(
    server,
    new WsPeer(server, defaultLimits, events, undefined, 'flat'),
    {},
    {
      clock,
      limits: defaultLimits,
      metrics: new SocketMetrics(new Metrics()),
      budgets: new SocketBudgets(clock, defaultLimits),
      admit: () => {
        requested.resolve()
        return promise
      },
      admitted: () => ({ rejected() {} }),
      failed: (error) => void failures.push(error),
      releaseSlot() {},
    },
  )
  client.send(init)
  await requested.promise
  return { clock, client, failures, reject }
}

test('SOC-49: an error of the authentication', async (t) => {
  const { client, failures, reject } = await connect(t)
  reject(new Error('no database'))
  assert.equal((await client.next('tpa_connection_error')).code, 'INTERNAL_ERROR')
  assert.equal((await client.closed()).code, 1011)
  assert.equal(failures.length, 1)
})

test('SOC-49: an app whose authentication takes too long is closed with 1011', async (t) => {
  const { clock, client } = await connect(t)
  clock.advance(defaultLimits.unauthenticatedMs)
  assert.equal((await client.next('tpa_connection_error')).code, 'INTERNAL_ERROR')
  assert.equal((await client.closed()).code, 1011)
})
