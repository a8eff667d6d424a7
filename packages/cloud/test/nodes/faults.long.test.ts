import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { onPostgres } from '../../src/db/testing.ts'
import { cli } from '../support/cli.ts'
import { type NodeProcess, type ProcessCluster, startCluster } from '../support/cluster.ts'
import { proxyTo, redisMissing, redisUrl } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

/** The tests stop and freeze nodes that they share, so they run one after another. */
const suite = { concurrency: 1, ...(redisMissing ? { skip: redisMissing } : {}) }
let serial = 0
const timeout = { timeoutMs: 30_000 }
const STOP_TIMEOUT_MS = 60_000

describe('nodes in processes of their own', suite, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let shared: Promise<ProcessCluster> | undefined
    /** Three nodes, which the tests share; after each they run again. */
    const threeNodes = async (t: Scope) => {
      shared ??= startCluster(scope, database)
      const cluster = await shared
      t.after(async () => {
        for (const node of [...cluster.nodes]) {
          node.process.kill('SIGCONT')
          if (hasExited(node)) await cluster.restart(node)
        }
      })
      return cluster
    }

    /** Connects glasses through the balancer and starts the captions app on the SDK. */
    async function startCaptions(t: Scope, cluster: ProcessCluster, url = cluster.url) {
      serial += 1
      const packageName = `dev.my-app.live-captions-${serial}`
      const [node] = cluster.nodes
      assert(node)
      const { app } = await SdkApp.register(t, node, 'captions', {
        packageName,
        permissions: [{ type: 'MICROPHONE' }],
      })
      const email = `wearer-${serial}@example.com`
      const token = await node.token(email)
      const glasses = new Glasses({ url, token, reconnect: { maxMs: 1_000 } })
      t.after(() => glasses.disconnect())
      const { sessionId } = await glasses.connect(timeout)
      const phone = new PhoneApi({ url, token })
      await phone.install(packageName)
      await phone.startApp(packageName)
      await glasses.waitForMicrophone('transcription', timeout)
      const owner = await cluster.ownerOf(sessionId)
      return { app, packageName, token, glasses, phone, sessionId, owner }
    }

    /** Shows a caption, which passes from the glasses to the app and back. */
    async function caption(glasses: Glasses, text: string) {
      await glasses.waitForMicrophone('transcription', timeout)
      await glasses.speak(text, { language: 'en-US' })
      await glasses.waitForDisplay(text, timeout)
    }

    /** Returns the number of sessions of a node. */
    async function countSessions({ nodeUrl }: NodeProcess): Promise<number> {
      const metrics = await (await fetch(`${nodeUrl}/metrics`)).text()
      return Number(/^user_sessions(?:{[^}]*})? (\d+)/m.exec(metrics)?.[1] ?? 0)
    }

    test('NODE-30 NODE-31: after the owner is killed, another node continues the session', async (t) => {
      const cluster = await threeNodes(t)
      const { glasses, sessionId, app, phone, owner, packageName } = await startCaptions(t, cluster)
      await caption(glasses, 'Before the crash')
      let losses = 0
      glasses.on('close', () => {
        losses += 1
      })
      const reconnected = nextAcknowledgement(glasses)
      await owner.kill()
      await reconnected
      await caption(glasses, 'After the crash')
      const [ack] = glasses.messages('connection_ack').slice(-1)
      assert.equal(ack?.sessionId, sessionId)
      const count = (event: RegExp) => app.lines.filter((line) => event.test(line)).length
      assert.equal(count(/session started/), 1, 'the app was started twice')
      // Clients retry after growing delays, and apps give up: the sockets wait for the next owner instead.
      assert.deepEqual([losses, count(/lost the connection/)], [1, 1], 'a socket was closed while it waited')
      const [state] = (await phone.listApps()).filter((entry) => entry.packageName === packageName)
      assert.equal(state?.running, true)
    })

    test('NODE-32: a frozen owner delivers and writes nothing after it wakes up', async (t) => {
      const cluster = await threeNodes(t)
      const { glasses, sessionId, owner, token } = await startCaptions(t, cluster)
      await caption(glasses, 'Before the freeze')
      owner.process.kill('SIGSTOP')
      await Promise.all(Array.from({ length: 20 }, () => connectAndGiveUp(owner, token)))
      const reconnected = nextAcknowledgement(glasses)
      glasses.loseConnection()
      await reconnected
      await caption(glasses, 'During the freeze')
      const [ack] = glasses.messages('connection_ack').slice(-1)
      assert.equal(ack?.sessionId, sessionId)
      const before = glasses.messages().length
      let losses = 0
      glasses.on('close', () => {
        losses += 1
      })
      owner.process.kill('SIGCONT')
      await waitFor('the end of its sessions', async () => (await countSessions(owner)) === 0)
      await waitFor('its next lease', async () =>
        (await cluster.leases()).some(({ name }) => name === owner.name),
      )
      assert.deepEqual(
        glasses
          .messages()
          .slice(before)
          .map(({ type }) => type)
          .filter((type) => type !== 'pong'),
        [],
      )
      await caption(glasses, 'After the freeze')
      assert.equal(losses, 0, 'a connection that was given up replaced the present one')
    })

    test('NODE-33 CLI-34: a rolling restart of all nodes loses no acknowledged write and no session', async (t) => {
      const cluster = await threeNodes(t)
      const { glasses, sessionId, phone, token, packageName } = await startCaptions(t, cluster)
      const [first] = cluster.nodes
      assert(first)
      const listed = await cli(first.env, 'nodes', '--json')
      assert.deepEqual(
        JSON.parse(listed.out).map((node: Record<string, unknown>) => [node.name, node.isDraining]),
        [
          ['node-1', false],
          ['node-2', false],
          ['node-3', false],
        ],
      )
      const writes = writeSettings(cluster.url, token)
      for (const node of [...cluster.nodes]) {
        const acks = glasses.messages('connection_ack').length
        const exited = once(node.process, 'exit')
        node.process.kill('SIGTERM')
        await withTimeout(STOP_TIMEOUT_MS, exited, 'the node did not stop')
        assert.equal(node.process.exitCode, 0)
        await cluster.restart(node)
        if (glasses.messages('connection_ack').length > acks)
          await glasses.waitForMicrophone('transcription', timeout)
      }
      await caption(glasses, 'After the restarts')
      const [ack] = glasses.messages('connection_ack').slice(-1)
      assert.equal(ack?.sessionId, sessionId)
      const { acknowledged, rejected } = await writes.stop()
      assert.ok(acknowledged.length > 10, 'too few writes to prove anything')
      const stored = await readSettings(cluster.url, token)
      for (const key of acknowledged) assert.equal(stored[key], key, `${key} was acknowledged but is lost`)
      assert.ok(
        rejected.every((status) => status === 503),
        `other errors than 503: ${rejected}`,
      )
      assert.equal((await phone.listApps()).find((app) => app.packageName === packageName)?.running, true)
    })

    test('NODE-34 NODE-35: Redis away, with sockets on the owner and elsewhere', async (t) => {
      const proxy = await proxyTo(t, redisUrl)
      const options = { env: { REDIS_URL: proxy.url }, ownAppSocketUrl: true }
      const cluster = await startCluster(t, database, 2, options)
      const [owner, other] = cluster.nodes
      assert(owner && other)
      const { glasses, app, packageName, token } = await startCaptions(t, cluster, owner.nodeUrl)
      await caption(glasses, 'Before the outage')
      proxy.silent = true
      const stop = () =>
        fetch(`${other.nodeUrl}/api/apps/${packageName}/stop`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
        })
      // The first call may wait until the node has noticed the outage.
      for (const response of [await stop(), await stop()]) {
        assert.equal(response.status, 503)
        assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      }
      const leases = async (count: number) => (await cluster.leases()).length === count
      await waitFor('the end of the leases in Redis', () => leases(0))
      await caption(glasses, 'During the outage')
      proxy.silent = false
      await waitFor('new leases in Redis', () => leases(2))
      await caption(glasses, 'After the outage')
      assert.deepEqual([await countSessions(owner), await countSessions(other)], [1, 0])
      assert.equal(glasses.messages('connection_ack').length, 1, 'the glasses had to reconnect')
      const count = (event: RegExp) => app.lines.filter((line) => event.test(line)).length
      assert.deepEqual([count(/session started/), count(/session stopped/)], [1, 0])
    })
  }, suite)
})

function hasExited({ process }: NodeProcess): boolean {
  return process.exitCode !== null || process.signalCode !== null
}

/** Resolves with the next acknowledgement; attempts that fail before are repeated by the glasses. */
function nextAcknowledgement(glasses: Glasses): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  glasses.once('ack', resolve)
  return withTimeout(timeout.timeoutMs, promise, 'the glasses were not acknowledged')
}

/** Connects glasses to a frozen node, which finds the closed connection when it wakes up. */
async function connectAndGiveUp({ nodeUrl }: NodeProcess, token: string): Promise<void> {
  const { port, hostname, host } = new URL(nodeUrl)
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET /glasses-ws?token=${token} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    () => socket.destroy(),
  )
  await closed
}

/** Writes a setting after another through the balancer until it is stopped. */
function writeSettings(url: string, token: string) {
  const acknowledged: string[] = []
  const rejected: number[] = []
  let isStopped = false
  const run = async () => {
    for (let index = 0; !isStopped; index += 1) {
      const key = `key-${index}`
      const response = await fetch(`${url}/api/client/user/settings`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ settings: { [key]: key } }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => undefined)
      if (response?.status === 200) acknowledged.push(key)
      else if (response) rejected.push(response.status)
      await response?.arrayBuffer().catch(() => {})
      // A pause between writes, so that they do not fill the processor.
      await delay(50)
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
      return { acknowledged, rejected }
    },
  }
}

async function readSettings(url: string, token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/client/user/settings`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { data?: { settings?: Record<string, unknown> } }
  return body.data?.settings ?? {}
}
