import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onPostgres } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { selfSigned } from '../support/certificates.ts'
import { type ProcessCluster, startCluster } from '../support/cluster.ts'
import { NodeUser } from '../support/node-user.ts'
import { type ProxiedLoad, readSettings, startLoad } from '../support/proxied-load.ts'
import { openRequest, sendThrough } from '../support/proxied-request.ts'
import { PROXY_NAMES, ProxyServer, proxyMissing } from '../support/proxies.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

const TIMEOUT_MS = 60_000

setDefaultCACertificates([...getCACertificates('default'), selfSigned.cert])

const installed = PROXY_NAMES.filter((name) => proxyMissing(name) === false)
const skip = redisMissing || (installed.length === 0 && proxyMissing('nginx'))

/** The tests restart nodes and proxies that they share. */
const suite = { concurrency: 1, ...(skip ? { skip } : {}) }

describe('three nodes behind proxies', suite, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let cluster: ProcessCluster
    let proxies: readonly ProxyServer[]
    let users = 0

    before(async () => {
      const port = await findFreePort()
      const env = { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://localhost:${port}` }
      cluster = await startCluster(scope, database, 3, { env })
      const nodes = cluster.nodes.map(({ nodeUrl }) => ({ port: Number(new URL(nodeUrl).port) }))
      proxies = await Promise.all(
        installed.map((name, index) =>
          ProxyServer.start(scope, name, { nodes, ...(index === 0 && { port }) }),
        ),
      )
    })

    const firstNode = () => {
      const [node] = cluster.nodes
      assert(node)
      return node
    }

    /** Connects glasses and an app through a proxy. */
    const connectUser = (t: Scope, { url }: ProxyServer) =>
      NodeUser.connect(t, firstNode(), { glasses: url, app: [url] })

    /** Sends requests through a proxy; `verify` ends them, and finds every acknowledged write. */
    async function load(t: Scope, proxy: ProxyServer) {
      const token = await firstNode().token(`load-${++users}@example.com`)
      const running: ProxiedLoad = startLoad(proxy.url, token)
      t.after(() => running.stop())
      return {
        failed: running.failed,
        async verify() {
          const count = running.written.length
          await waitFor(`requests through ${proxy.name}`, () => running.written.length > count + 2)
          await running.stop()
          const stored = await readSettings(proxy.url, token)
          for (const key of running.written)
            assert.equal(stored[key], key, `${proxy.name}: ${key} was acknowledged, but is lost`)
        },
      }
    }

    test('PXY-22: a proxy reads its configuration again', async (t) => {
      for (const proxy of proxies) {
        const user = await connectUser(t, proxy)
        let closed = 0
        user.glasses.on('close', () => {
          closed += 1
        })
        const requests = await load(t, proxy)
        await proxy.reload()
        await requests.verify()
        assert.deepEqual(requests.failed, [], proxy.name)
        await user.works()
        if (proxy.name !== 'caddy') assert.deepEqual([closed, user.app.closeCodes], [0, []], proxy.name)
        assert.equal(user.starts, 1)
      }
    })

    test('PXY-14: aborted and rejected requests do not make nodes fail', async () => {
      const token = await firstNode().token('endless@example.com')
      for (const proxy of proxies) {
        for (let attempt = 0; attempt < 6; attempt += 1) {
          const endless = openRequest(`${proxy.url}/api/account/profile`, { method: 'PUT', token })
          endless.on('error', () => {})
          const ended = new Promise<void>((resolve) => {
            endless.once('response', () => resolve())
            endless.once('close', () => resolve())
          })
          const chunk = Buffer.alloc(64 * 1024)
          for (let sent = 0; sent < 40 && !endless.destroyed; sent += 1) endless.write(chunk)
          await withTimeout(TIMEOUT_MS, ended, 'an endless body was accepted')
          endless.destroy()
          const next = await sendThrough(`${proxy.url}/api/account/me`, { token })
          assert.equal(next.status, 200, proxy.name)
        }
      }
    })

    test('PXY-20: one node after the other is restarted', async (t) => {
      const connected = await Promise.all(proxies.map((proxy) => connectUser(t, proxy)))
      const sessionIds = connected.map(({ glasses }) => sessionIdOf(glasses))
      const loads = await Promise.all(proxies.map((proxy) => load(t, proxy)))
      for (const node of [...cluster.nodes]) {
        const exited = once(node.process, 'exit')
        node.process.kill('SIGTERM')
        await withTimeout(TIMEOUT_MS, exited, 'the node did not stop')
        await cluster.restart(node)
        await Promise.all(connected.map((user) => user.works()))
      }
      for (const [index, requests] of loads.entries()) {
        await requests.verify()
        assert.deepEqual(requests.failed, [], proxies[index]?.name)
      }
      assert.deepEqual(
        connected.map(({ glasses }) => sessionIdOf(glasses)),
        sessionIds,
      )
      assert.deepEqual(
        connected.map(({ starts }) => starts),
        connected.map(() => 1),
      )
    })

    test('PXY-21: a node is killed', async (t) => {
      const loads = await Promise.all(proxies.map((proxy) => load(t, proxy)))
      const [, node] = cluster.nodes
      assert(node)
      await node.kill()
      for (const [index, requests] of loads.entries()) {
        await requests.verify()
        // A client sends one request at a time. Caddy cannot repeat a request with a body, even if no node has got it; this
        // ends when its check of the node fails.
        const isCaddy = proxies[index]?.name === 'caddy'
        const unexpected = isCaddy
          ? requests.failed.filter(({ method }) => method === 'GET')
          : requests.failed
        assert.ok(
          unexpected.length <= (isCaddy ? 0 : 1),
          `${proxies[index]?.name}: ${JSON.stringify(requests.failed)}`,
        )
      }
      await cluster.restart(node)
    })
  }, suite)
})

describe('three nodes that close connections', () => {
  for (const name of PROXY_NAMES)
    test(`PXY-21: only GET is repeated (${name})`, { skip: proxyMissing(name) }, async (t) => {
      const received: string[] = []
      /** Serves probes, and closes the connection of the first request, as a node that is killed does. */
      const startNode = async () => {
        const server = createServer((request, response) => {
          if (request.url === '/readyz') return void response.end('{}')
          received.push(String(request.method))
          if (received.length === 1) request.socket.destroy()
          else response.end('{}')
        }).listen(0, '127.0.0.1')
        await once(server, 'listening')
        t.after(() => {
          server.closeAllConnections()
          server.close()
        })
        return { port: (server.address() as AddressInfo).port }
      }
      const nodes = [await startNode(), await startNode(), await startNode()]
      const proxy = await ProxyServer.start(t, name, { nodes })
      // Caddy serves once it has checked the nodes.
      await waitFor('a ready node', async () => (await sendThrough(`${proxy.url}/readyz`)).status === 200)
      const posted = await sendThrough(`${proxy.url}/api/x`, { method: 'POST', body: { a: 1 } })
      assert.deepEqual([posted.status, received], [502, ['POST']])
      received.length = 0
      const got = await sendThrough(`${proxy.url}/api/x`)
      assert.deepEqual([got.status, received], [200, ['GET', 'GET']])
    })
})

/** The id of the session that the glasses are attached to. */
function sessionIdOf(glasses: NodeUser['glasses']): unknown {
  return glasses.messages('connection_ack').at(-1)?.sessionId
}
