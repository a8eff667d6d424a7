import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { localUrlOf } from '../../src/http/listening.ts'
import { systemClock } from '../../src/time/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { ipv6Missing } from '../support/ipv6.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const token = 'a metrics token of some length'.replaceAll(' ', '-')

describe('operation settings', () => {
  test('HTTP-33: METRICS_TOKEN protects /metrics, and no other endpoint accepts it', async (t) => {
    const { url } = await startCloud(t, { env: { METRICS_TOKEN: token } })
    const get = (path: string, authorization?: string) =>
      fetch(url + path, { ...(authorization && { headers: { authorization } }) })
    const open = await get('/metrics', `Bearer ${token}`)
    assert.equal(open.status, 200)
    assert.match(await open.text(), /^process_cpu_seconds_total /m)
    for (const authorization of [
      undefined,
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
    ]) {
      const response = await get('/metrics', authorization)
      assert.deepEqual([response.status, await response.json()], [401, { error: 'Unauthorized' }])
    }
    assert.equal((await get('/healthz')).status, 200)
    assert.equal((await get('/api/account/me', `Bearer ${token}`)).status, 401)
  })

  test('HTTP-34: true, and addresses of proxies', async (t) => {
    const warnings = async (TRUST_PROXY: string) =>
      (await startCloud(t, { env: { TRUST_PROXY, LOG_LEVEL: 'warn' } })).logged.filter(({ msg }) =>
        String(msg).startsWith('TRUST_PROXY=true'),
      )
    assert.deepEqual(
      (await warnings('true')).map(({ level }) => level),
      [40],
    )
    assert.deepEqual(await warnings('10.0.0.0/8'), [])
  })
})

/** Listens with the shortest queue, and stops the event loop, so that no connection is taken from it. */
const LISTENER = `
const { createServer } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer().listen({ host: workerData, port: 0, backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
})
`

/** Connections that no queue of length 1 takes. */
const CONNECTIONS = 4

/** Returns a port of an address at which attempts to connect get no answer, as behind a firewall that drops them. */
async function silentPort(scope: Scope, host: string): Promise<number> {
  const listener = new Worker(LISTENER, { eval: true, workerData: host })
  scope.after(() => listener.terminate())
  const [port]: number[] = await once(listener, 'message')
  assert.ok(port !== undefined)
  const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host, port }).on('error', () => {}))
  scope.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await once(sockets[0] as (typeof sockets)[number], 'connect')
  return port
}

test('CFG-7: the start does not wait for an address of localhost that does not answer', {
  skip: ipv6Missing,
}, async (t) => {
  const port = await silentPort(t, '::1')
  const found = localUrlOf('127.0.0.1', port, systemClock)
  const url = await withTimeout(20_000, found, 'the public URL was not found')
  assert.equal(url, `http://localhost:${port}`)
})

test('CFG-7: requests are answered while the address is determined', { skip: ipv6Missing }, async (t) => {
  const port = await silentPort(t, '::1')
  // The attempt at the other address gets no answer, and ends when this clock advances.
  const clock = new VirtualClock()
  const starting = startCloud(t, { env: { PORT: String(port) }, overrides: { clock } })
  let isStarted = false
  void starting.then(() => {
    isStarted = true
  })
  let response: Response | undefined
  while (response === undefined)
    response = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined)
  assert.deepEqual([response.status, isStarted], [200, false])
  await response.body?.cancel()
  clock.advance(500)
  assert.equal((await starting).cloud.publicUrl().port, String(port))
})
