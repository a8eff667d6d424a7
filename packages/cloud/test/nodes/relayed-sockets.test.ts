import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import type { WebSocket } from 'ws'
import { onPostgres } from '../../src/db/testing.ts'
import { listNodes } from '../../src/nodes/index.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { systemClock } from '../../src/time/index.ts'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import { startNodes } from '../support/local-nodes.ts'
import { NodeUser } from '../support/node-user.ts'
import { redisMissing, redisUrl } from '../support/redis.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const MINUTE_MS = 60_000
/** More than the kernel takes for a socket. */
const ENOUGH_BYTES = 200 * 1024 * 1024

/** A clock of a machine whose wall time is wrong. */
const wrongBy = (ms: number) => ({ ...systemClock, now: () => systemClock.now() + ms })

/** Limits with which slow readers are found soon; everything else is as usual. */
const limits = { messagesPerSecond: 1_000_000, stateBacklogBytes: 256 * 1024 }
const timing = { displayIntervalMs: 1 }

/** The tests share two nodes, whose connection to Redis one of them breaks. */
const suite = { concurrency: 1, ...(redisMissing ? { skip: redisMissing } : {}) }

describe('sockets on another node than their session', suite, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let owner: LocalCloud
    let other: LocalCloud
    let proxy: FlakyProxy

    before(async () => {
      const overrides = { limits, timing, machineClock: wrongBy(7 * MINUTE_MS) }
      ;[owner] = (await startNodes(scope, database, 1, { overrides })) as [LocalCloud]
      proxy = await FlakyProxy.open(scope)
      proxy.target = new URL(redisUrl.replace('redis:', 'http:'))
      const env = {
        ...owner.env,
        NODE_NAME: 'other',
        PORT: '0',
        REDIS_URL: proxy.url.replace('http:', 'redis:'),
      }
      other = await startCloud(scope, {
        env,
        overrides: { ...overrides, machineClock: wrongBy(-7 * MINUTE_MS) },
      })
    })

    test('SHARE-30: nodes whose clocks differ by minutes accept their tokens and agree on owners and times', async (t) => {
      const user = await NodeUser.connect(t, owner, { glasses: owner.url, app: [other.url] })
      const { email, packageName } = user
      for (const [issuer, verifier] of [
        [owner, other],
        [other, owner],
      ] as const) {
        const token = await issuer.token(email, { lifetimeMs: MINUTE_MS })
        assert.equal((await verifier.request('GET', '/api/account/me', { token })).status, 200)
        const started = await verifier.request('POST', `/api/apps/${packageName}/start`, { token })
        assert.equal(started.status, 200)
        const expired = await issuer.token(email, { lifetimeMs: -MINUTE_MS })
        assert.equal((await verifier.request('GET', '/api/account/me', { token: expired })).status, 401)
      }
      const glasses = await SocketClient.open(t, `${other.wsUrl}/glasses-ws`, bearer(user.token))
      const { timestamp } = await glasses.next('connection_ack')
      assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < MINUTE_MS, String(timestamp))
      assert.deepEqual([owner.cloud.sessions.size, other.cloud.sessions.size, user.starts], [1, 0, 1])
    })

    test('NODE-26: a client on another node that reads nothing', async (t) => {
      const slowReaders = async () => {
        const { body } = await owner.request<string>('GET', '/metrics')
        return Number(/^socket_slow_readers_total(?:{[^}]*})? (\d+)/m.exec(body)?.[1] ?? 0)
      }
      const user = await NodeUser.connect(t, owner, { glasses: owner.url, app: [other.url] })
      user.app.send({ type: 'subscription_update', subscriptions: ['filler'] })
      const filler = 'x'.repeat(200 * 1024)
      /** Sends until a socket that reads nothing is closed. */
      const overload = async (socket: WebSocket, send: (text: string) => void) => {
        const closed = once(socket, 'close')
        const slowBefore = await slowReaders()
        socket.pause()
        let sent = 0
        await waitFor('the end of the slow reader', async () => {
          // No more than both nodes and Redis, on this machine, pass on meanwhile.
          for (let n = 0; n < 2; n += 1) send(`${sent++} ${filler}`)
          assert.ok(sent * filler.length < ENOUGH_BYTES, 'it is still connected')
          return (await slowReaders()) > slowBefore
        })
        socket.resume()
        const [code] = await closed
        assert.equal(code, 1013)
      }
      await overload(user.app.socket, (text) => user.glasses.send({ type: 'filler', text }))
      await user.works()
      const glasses = await SocketClient.open(t, `${other.wsUrl}/glasses-ws`, bearer(user.token))
      await glasses.next('connection_ack')
      await overload(glasses.ws, (text) => user.show(text))
    })

    test('NODE-38: a connection to Redis that is cut and restored', async (t) => {
      const user = await NodeUser.connect(t, owner, { glasses: owner.url, app: [owner.url] })
      const { token } = user
      const glasses = await SocketClient.open(t, `${other.wsUrl}/glasses-ws`, bearer(token))
      await glasses.next('connection_ack')
      const configure = async () => {
        const body = { format: 'pcm' }
        return (await owner.request('POST', '/api/client/audio/configure', { token, body })).status
      }
      assert.equal(await configure(), 200)
      proxy.break()
      assert.equal((await glasses.closed()).code, 1012)
      await waitFor('the loss of the glasses', async () => (await configure()) === 503)
      // And not those that were opened since.
      const again = await waitFor('the connection of the other node', async () => {
        const socket = await SocketClient.open(t, `${other.wsUrl}/glasses-ws`, bearer(token))
        const isAttached = socket.next('connection_ack').then(
          () => true,
          () => false,
        )
        return (await Promise.race([isAttached, socket.closed().then(() => false)])) && socket
      })
      assert.equal(await configure(), 200)
      user.show('still there')
      while (!JSON.stringify(await again.next('display_event')).includes('still there'));
    })

    test('if one node takes the other for lost, neither keeps a socket that the other has given up', async (t) => {
      const user = await NodeUser.connect(t, owner, { glasses: owner.url, app: [owner.url] })
      const glasses = await SocketClient.open(t, `${other.wsUrl}/glasses-ws`, bearer(user.token))
      await glasses.next('connection_ack')
      let isClosed = false
      const closed = once(glasses.ws, 'close').then(([code]) => {
        isClosed = true
        return code
      })
      const redis = new Redis(redisUrl)
      t.after(() => redis.disconnect())
      await waitFor('the end of the socket', async () => {
        // Until the owner reads the leases before the other node has renewed its own.
        const node = (await listNodes(redis, owner.cloud.db, false)).find(({ name }) => name === 'other')
        if (node) await redis.del(...(await redis.keys(`*lease:${node.holder}`)))
        return isClosed
      })
      assert.equal(await closed, 1012)
    })
  }, suite)
})
