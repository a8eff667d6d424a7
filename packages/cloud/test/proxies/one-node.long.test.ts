import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoad } from '../support/proxied-load.ts'
import { ProxyServer, proxyMissing } from '../support/proxies.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'
import { testOneNode } from './one-node-suite.ts'

testOneNode(['nginx'])
testOneNode(['haproxy', 'caddy'])

test('PXY-23: the only node is restarted behind Caddy', { skip: proxyMissing('caddy') }, async (t) => {
  const first = await startCloud(t, { env: { TRUST_PROXY: '127.0.0.1' } })
  const port = Number(new URL(first.url).port)
  const proxy = await ProxyServer.start(t, 'caddy', { nodes: [{ port }] })
  const load = startLoad(proxy.url, await first.token('load@example.com'))
  t.after(() => load.stop())
  await waitFor('requests', () => load.written.length > 2)
  await first.stop()
  await startCloud(t, { env: { ...first.env, PORT: String(port) } })
  const count = load.written.length
  await waitFor('requests after the restart', () => load.written.length > count + 2)
  await load.stop()
  assert.deepEqual(load.failed, [])
})
