import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

const CONFIGURATIONS = new URL('../../../../ops/proxies/', import.meta.url)

/** Sends a request on a connection that is kept, as proxies do. */
async function getOn(agent: Agent, url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

function keepingAgent(t: Scope): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  return agent
}

describe('connections of proxies', () => {
  test('PXY-25: idle connections live longer than those that the proxies keep', async (t) => {
    const cloud = await startCloud(t)
    const { headers } = await getOn(keepingAgent(t), `${cloud.url}/healthz`)
    assert.equal(headers['keep-alive'], 'timeout=150')
    const kept = /keepalive_timeout (\d+)s|^\s*keepalive (\d+)s/gm
    for (const file of ['nginx.conf', 'Caddyfile']) {
      const text = await readFile(new URL(file, CONFIGURATIONS), 'utf8')
      const seconds = [...text.matchAll(kept)].map(([, a, b]) => Number(a ?? b))
      assert.ok(seconds.length > 0 && Math.max(...seconds) < 150, file)
    }
  })

  test('PXY-24 HTTP-42: during the shutdown, requests are served, and end their connections at its end', async (t) => {
    const cloud = await startCloud(t, { env: { TRUST_PROXY: '127.0.0.1' } })
    const agents = [keepingAgent(t), keepingAgent(t)]
    const ask = (path: string) =>
      Promise.all(
        agents.map(async (agent) => {
          const { statusCode, headers } = await getOn(agent, `${cloud.url}${path}`)
          return [statusCode, headers.connection]
        }),
      )
    const both = (status: number, connection: string) => agents.map(() => [status, connection])
    assert.deepEqual(await ask('/readyz'), both(200, 'keep-alive'))
    const stopped = cloud.stop()
    assert.deepEqual(await ask('/readyz'), both(503, 'keep-alive'))
    assert.deepEqual(await ask('/healthz'), both(200, 'keep-alive'))
    // The connections stay open for a moment after the port.
    const refused = async () => {
      const socket = connect(cloud.cloud.port, '127.0.0.1')
      try {
        await once(socket, 'connect')
        return false
      } catch {
        return true
      } finally {
        socket.destroy()
      }
    }
    await waitFor('the end of the port', refused)
    assert.deepEqual(await ask('/healthz'), both(200, 'close'))
    await withTimeout(30_000, stopped, 'the cloud did not stop')
  })

  test('PXY-26: a proxy that is not trusted is reported once', async (t) => {
    const count = async (TRUST_PROXY: string) => {
      const cloud = await startCloud(t, { env: { LOG_LEVEL: 'warn', TRUST_PROXY } })
      for (let n = 0; n < 3; n += 1) {
        await cloud.request('GET', '/healthz', { headers: { 'x-forwarded-for': '198.51.100.1' } })
        await cloud.request('GET', '/healthz')
      }
      return cloud.logged.filter(({ msg }) => String(msg).startsWith('A proxy that is not in TRUST_PROXY'))
        .length
    }
    assert.deepEqual([await count(''), await count('10.0.0.1'), await count('127.0.0.1')], [1, 1, 0])
  })
})
