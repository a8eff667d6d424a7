import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import { pino } from 'pino'
import { connectRedis } from '../../src/bus/index.ts'
import type { Config, Env } from '../../src/config/index.ts'
import { onPostgres, type TestDatabase } from '../../src/db/testing.ts'
import { limitRequests } from '../../src/http/limits.ts'
import { openSharedCounts } from '../../src/http/request-counts.ts'
import { Browser } from '../support/account-browser.ts'
import { proxyTo, redisMissing, redisUrl } from '../support/redis.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud, type TestResponse } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const startLimitedCloud = (scope: Scope, perMinute: number, env: Record<string, string> = {}) =>
  startCloud(scope, { env: { REST_LIMIT_PER_MINUTE: String(perMinute), LOG_LEVEL: 'info', ...env } })

/** Starts a node of a cluster. */
const startLimitedNode = (scope: Scope, perMinute: number, env: Env, database?: TestDatabase) =>
  startCloud(scope, {
    env: { REST_LIMIT_PER_MINUTE: String(perMinute), LOG_LEVEL: 'info', SHARED_DATA_DIR: 'true', ...env },
    ...(database ? { database } : {}),
  })

/** Sends a request `count` times in sequence; returns the statuses. */
async function repeat(count: number, sendRequest: () => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await sendRequest()).status)
  return statuses
}

const rateHeaders = ({ headers }: TestResponse) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name))

describe('rate limits', () => {
  test('LIM-1: a user has 100 requests per minute by default', async (t) => {
    const cloud = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '' } })
    const token = await cloud.token('a@example.org')
    const statuses = await repeat(101, () => cloud.request('GET', '/api/account/me', { token }))
    assert.deepEqual(statuses, [...Array(100).fill(200), 429])
  })

  test('LIM-46: reports of a phone have a limit of their own, in ten seconds', async (t) => {
    const cloud = await startLimitedCloud(t, 2)
    const token = await cloud.token('a@example.org')
    const reports = [
      ['/api/client/location', { lat: 1, lng: 2 }],
      ['/api/client/notifications', { notificationId: 1 }],
      ['/api/client/calendar', { events: [] }],
    ] as const
    let now = Math.ceil(performance.now())
    t.mock.method(performance, 'now', () => now)
    let count = 0
    const report = () => {
      const [path, body] = reports[count++ % reports.length] ?? assert.fail()
      return cloud.request('POST', path, { token, body })
    }
    const ask = () => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(await repeat(6, report), Array(6).fill(503), 'accepted, without a session')
    const rejected = await report()
    assert.deepEqual([rejected.status, ...rateHeaders(rejected)], [429, '6', '0'])
    assert.ok(Number(rejected.headers.get('retry-after')) <= 10)
    assert.deepEqual(await repeat(3, ask), [200, 200, 429], 'what a user asks for is counted apart')
    const other = await cloud.token('b@example.org')
    assert.equal(
      (await cloud.request('POST', reports[0][0], { token: other, body: reports[0][1] })).status,
      503,
    )
    now += 10_000
    assert.deepEqual([(await report()).status, (await ask()).status], [503, 429])
  })

  test('LIM-2: headers of accepted and rejected requests', async (t) => {
    const cloud = await startLimitedCloud(t, 2)
    const token = await cloud.token('a@example.org')
    const sendRequest = () => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(rateHeaders(await sendRequest()), ['2', '1'])
    const last = await sendRequest()
    assert.deepEqual(rateHeaders(last), ['2', '0'])
    assert.equal(last.headers.get('retry-after'), null)
    const rejected = await sendRequest()
    assert.deepEqual([rejected.status, ...rateHeaders(rejected)], [429, '2', '0'])
    for (const name of ['ratelimit-reset', 'retry-after']) {
      const seconds = Number(rejected.headers.get(name))
      assert.ok(seconds > 0 && seconds <= 60, name)
    }
  })

  test('LIM-12: the browsers of a user are counted apart from tokens', async (t) => {
    const cloud = await startLimitedCloud(t, 2)
    const browser = new Browser(cloud)
    await browser.signUp('a@example.org', 'a long password')
    const statuses = await repeat(13, () => browser.request('GET', '/api/account/me'))
    assert.deepEqual(statuses, [...Array(12).fill(200), 429])
    const token = await cloud.token('a@example.org')
    assert.equal((await cloud.request('GET', '/api/account/me', { token })).status, 200)
  })

  const styles: [group: string, path: string, body: unknown][] = [
    ['envelope', '/api/apps/installed', { success: false, message: 'Too many requests' }],
    ['bare', '/api/account/me', { error: 'Too many requests' }],
    ['bare, of an unknown path', '/nowhere', { error: 'Too many requests' }],
    ['envelope, of an unknown path', '/api/apps/a/b/c', { success: false, message: 'Too many requests' }],
  ]
  for (const [style, path, body] of styles) {
    test(`LIM-3: a 429 has the error style of its group (${style})`, async (t) => {
      const cloud = await startLimitedCloud(t, 1)
      await cloud.request('GET', path)
      const rejected = await cloud.request('GET', path)
      assert.deepEqual([rejected.status, rejected.body], [429, body])
    })
  }

  test('LIM-4: the count restarts after a minute', async (t) => {
    const cloud = await startLimitedCloud(t, 1)
    const token = await cloud.token('a@example.org')
    const sendRequest = () => cloud.request('GET', '/api/account/me', { token })
    let now = Math.ceil(performance.now())
    t.mock.method(performance, 'now', () => now)
    assert.deepEqual(await repeat(2, sendRequest), [200, 429])
    now += 59_000
    assert.equal((await sendRequest()).status, 429)
    now += 1_000
    assert.equal((await sendRequest()).status, 200)
  })

  test('LIM-5 LIM-41: users, apps and addresses', async (t) => {
    const cloud = await startLimitedCloud(t, 1)
    const [one, two] = [await cloud.token('a@example.org'), await cloud.token('b@example.org')]
    const app = await cloud.registerApp({ packageName: 'one.app' })
    const key = { headers: { 'x-api-key': app.apiKey, 'x-package-name': app.packageName } }
    const status = async (...args: Parameters<LocalCloud['request']>) => (await cloud.request(...args)).status
    const { status: first } = await cloud.request('GET', '/api/account/me', { token: one })
    assert.equal(first, 200)
    assert.equal(await status('GET', '/api/apps', { token: one }), 429)
    // Another token of the same user has the same count.
    assert.equal(await status('GET', '/api/apps', { token: await cloud.token('a@example.org') }), 429)
    assert.equal(await status('GET', '/api/apps', { token: two }), 200)
    assert.equal(await status('GET', '/api/transcripts/x-two.app', key), 403)
    assert.equal(await status('GET', '/api/transcripts/x-two.app', key), 429)
    assert.equal(await status('GET', '/api/transcripts/x-one.app', key), 400)
    assert.equal(await status('GET', '/api/apps/version'), 200)
    assert.equal(await status('GET', '/api/apps/public'), 429)
  })

  test('LIM-6: invalid tokens count for the address and are then rejected with 429', async (t) => {
    const cloud = await startLimitedCloud(t, 3)
    const guess = (token: string) => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(await repeat(4, () => guess('guess')), [401, 401, 401, 429])
    // A valid token from the same address is not affected.
    assert.equal((await guess(await cloud.token('a@example.org'))).status, 200)
  })

  test('LIM-7: probes are not limited', async (t) => {
    const cloud = await startLimitedCloud(t, 1)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.deepEqual(await repeat(3, () => cloud.request('GET', path)), [200, 200, 200], path)
      assert.deepEqual(rateHeaders(await cloud.request('GET', path)), [null, null])
    }
  })

  test('LIM-8: text-to-speech has a separate count per address, HEAD included', async (t) => {
    const cloud = await startLimitedCloud(t, 2, { TTS_LIMIT_PER_MINUTE: '1', TTS_PROVIDER: 'none' })
    assert.equal((await cloud.request('GET', '/api/tts?text=a')).status, 500)
    assert.equal((await cloud.request('GET', '/api/tts?text=a')).status, 429)
    assert.equal((await cloud.request('HEAD', '/api/tts?text=a')).status, 429)
    assert.deepEqual(await repeat(3, () => cloud.request('GET', '/api/apps/version')), [200, 200, 429])
  })

  test('LIM-9: X-Forwarded-For is trusted only from a trusted proxy', async (t) => {
    const from = (cloud: LocalCloud, address: string) =>
      cloud.request('GET', '/api/apps/version', { headers: { 'x-forwarded-for': address } })
    const behindProxy = await startLimitedCloud(t, 1, { TRUST_PROXY: '127.0.0.1' })
    assert.equal((await from(behindProxy, '198.51.100.1')).status, 200)
    assert.equal((await from(behindProxy, '198.51.100.2')).status, 200)
    assert.equal((await from(behindProxy, '203.0.113.9, 198.51.100.1')).status, 429)
    const direct = await startLimitedCloud(t, 1)
    assert.equal((await from(direct, '198.51.100.1')).status, 200)
    assert.equal((await from(direct, '198.51.100.2')).status, 429)
  })

  test('LIM-10: an IPv6 /64 counts as one address, in any notation', async (t) => {
    const cloud = await startLimitedCloud(t, 1, { TRUST_PROXY: 'true' })
    const status = async (address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (await cloud.request('GET', '/api/apps/version', { headers })).status
    }
    assert.equal(await status('2001:db8:1:2::1'), 200)
    assert.equal(await status('2001:DB8:1:2:ffff:0:0:1'), 429)
    assert.equal(await status('2001:db8:1:3::1'), 200)
    assert.equal(await status('::ffff:198.51.100.7'), 200)
    assert.equal(await status('198.51.100.7'), 429)
  })

  test('LIM-11: the requests of a phone start fit the limit many times', async (t) => {
    const cloud = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '' } })
    const token = await cloud.token('a@example.org')
    const paths = ['account/me', 'account/privacy', 'apps', 'apps/installed', 'apps/available', 'gallery']
    const starts = Array.from({ length: 16 }, () => paths).flat()
    const responses = await Promise.all(starts.map((path) => cloud.request('GET', `/api/${path}`, { token })))
    assert.ok(responses.every(({ status }) => status === 200))
  })
})

test('LIM-20: clouds on one Redis count separately', { skip: redisMissing }, async (t) => {
  const config = { limits: { requestsPerMinute: 9 } } as Config
  const start = async (prefix: string) => {
    const settings = { urls: [redisUrl], isCluster: false }
    const sharedCounts = await openSharedCounts(settings, prefix, pino({ level: 'silent' }))
    t.after(() => sharedCounts.close())
    await once(sharedCounts.redis, 'ready')
    const server = fastify()
    t.after(() => server.close())
    const users = { ofSession: () => undefined, ofStream: () => undefined }
    await limitRequests(server, { config, sharedCounts, users })
    server.get('/', async () => '')
    return async () => (await server.inject('/')).headers['ratelimit-remaining']
  }
  const [one, other] = [await start(`${crypto.randomUUID()}:`), await start(`${crypto.randomUUID()}:`)]
  assert.deepEqual([await one(), await one(), await other()], ['8', '7', '8'])
})

describe('rate limits in Redis', { skip: redisMissing }, () =>
  onPostgres((database) => {
    test('LIM-20 LIM-42 LIM-46: nodes share their counts, those of apps and of reports included', async (t) => {
      const one = await startLimitedNode(t, 3, { REDIS_URL: redisUrl }, database)
      const { DATA_DIR, DATABASE_URL } = one.env
      const env = { REDIS_URL: redisUrl, DATA_DIR, DATABASE_URL, APP_LIMIT_PER_MINUTE: '6' }
      const [two, three] = await Promise.all([startLimitedNode(t, 3, env), startLimitedNode(t, 3, env)])
      await Promise.all([waitUntilCounting(one), waitUntilCounting(two), waitUntilCounting(three)])
      const token = await one.token(`${crypto.randomUUID()}@example.org`)
      const sendRequest = (cloud: LocalCloud) => cloud.request('GET', '/api/account/me', { token })
      assert.deepEqual(rateHeaders(await sendRequest(one)), ['3', '2'])
      assert.deepEqual(rateHeaders(await sendRequest(two)), ['3', '1'])
      assert.deepEqual(rateHeaders(await sendRequest(one)), ['3', '0'])
      const rejected = await sendRequest(two)
      assert.equal(rejected.status, 429)
      assert.ok(Number(rejected.headers.get('retry-after')) > 0)

      const report = (cloud: LocalCloud) =>
        cloud.request('POST', '/api/client/location', { token, body: { lat: 1, lng: 2 } })
      for (const [index, node] of [one, two, three, one, two, three, one, two, three].entries())
        assert.deepEqual(rateHeaders(await report(node)), ['9', String(8 - index)])
      const unheard = await report(two)
      assert.equal(unheard.status, 429)
      assert.ok(Number(unheard.headers.get('retry-after')) <= 10, 'nodes share the window too')

      const { apiKey, packageName } = await one.registerApp({ packageName: 'one.app' })
      const ofApp = async (cloud: LocalCloud, user: string) => {
        const headers = { authorization: `Bearer ${packageName}:${apiKey}` }
        const path = `/api/sdk/simple-storage/${user}@example.org`
        const response = await cloud.request('GET', path, { headers })
        return [response.status, ...rateHeaders(response)]
      }
      assert.deepEqual(await ofApp(two, 'a'), [403, '3', '2'])
      assert.deepEqual(await ofApp(three, 'A'), [403, '3', '1'])
      assert.deepEqual(await ofApp(two, 'a'), [403, '3', '0'])
      assert.deepEqual(await ofApp(three, 'a'), [429, '3', '0'])
      assert.deepEqual(await ofApp(two, 'b'), [403, '6', '1'])
      assert.deepEqual(await ofApp(three, 'c'), [403, '6', '0'])
      assert.deepEqual(await ofApp(two, 'd'), [429, '6', '0'])
    })

    test('LIM-22 LIM-23: an unresponsive Redis delays no request for long, and counting resumes with it', async (t) => {
      const proxy = await proxyTo(t, redisUrl)
      const cloud = await startLimitedNode(t, 3, { REDIS_URL: proxy.url }, database)
      await waitUntilCounting(cloud)
      proxy.silent = true
      const token = await cloud.token(`${crypto.randomUUID()}@example.org`)
      const sendRequest = () => cloud.request('GET', '/api/account/me', { token })
      assert.deepEqual(await repeat(20, sendRequest), [200, 200, 200, ...Array(17).fill(429)])
      const waiting = proxy.unanswered.filter((commands) => /evalsha/i.test(commands))
      assert.equal(waiting.length, 1, 'more than the first request waited for Redis')
      proxy.silent = false
      await waitUntilCounting(cloud)
      const lines = cloud.logged.map(({ msg }) => String(msg)).filter((msg) => msg.startsWith('redis'))
      assert.deepEqual(lines, [
        'redis: not available, this node limits requests by its own counts',
        'redis: available again, nodes limit requests together',
      ])
      assert.deepEqual(await repeat(4, sendRequest), [200, 200, 200, 429])
    })

    /** Waits until requests are counted in Redis: the cloud connects to it after it has started. */
    async function waitUntilCounting(cloud: LocalCloud): Promise<void> {
      const redis = await connectRedis({ urls: [redisUrl], isCluster: false }, { enableOfflineQueue: true })
      const token = await cloud.token(`${crypto.randomUUID()}@example.org`)
      const { body } = await cloud.request<{ id: string }>('GET', '/api/account/me', { token })
      const counted = async () => {
        do await cloud.request('GET', '/api/account/me', { token })
        while ((await redis.keys(`*requests:*user:${body.id}`)).length === 0)
      }
      await withTimeout(20_000, counted(), 'requests were not counted').finally(() => redis.disconnect())
    }
  }),
)

describe('unavailable Redis', () =>
  onPostgres((database) => {
    const outageLogs = (cloud: LocalCloud) =>
      cloud.logged.filter(({ msg }) => String(msg).startsWith('redis: not available'))

    test('LIM-21: without Redis a node counts alone, and the outage is logged once', async (t) => {
      const env = { REDIS_URL: 'redis://127.0.0.1:1', TTS_LIMIT_PER_MINUTE: '2', TTS_PROVIDER: 'none' }
      const cloud = await startLimitedNode(t, 3, { ...env, APP_LIMIT_PER_MINUTE: '4' }, database)
      const sendRequest = () => cloud.request('GET', '/api/apps/version')
      assert.deepEqual(await repeat(4, sendRequest), [200, 200, 200, 429])
      const limited = await sendRequest()
      assert.deepEqual([limited.status, ...rateHeaders(limited)], [429, '3', '0'])
      assert.ok(Number(limited.headers.get('retry-after')) > 0)
      const speak = () => cloud.request('GET', '/api/tts?text=Hello')
      assert.deepEqual(await repeat(3, speak), [500, 500, 429])
      const { apiKey, packageName } = await cloud.registerApp({ packageName: 'one.app' })
      const headers = { authorization: `Bearer ${packageName}:${apiKey}` }
      const asApp = (user: string) =>
        cloud.request('GET', `/api/sdk/simple-storage/${user}@example.org`, { headers })
      const statuses: number[] = []
      for (const user of ['a', 'b', 'c', 'd', 'e']) statuses.push((await asApp(user)).status)
      assert.deepEqual(statuses, [403, 403, 403, 403, 429])
      await withTimeout(
        5_000,
        sendUntil(() => outageLogs(cloud).length > 0, sendRequest),
        'no log line',
      )
      await repeat(5, sendRequest)
      assert.equal(outageLogs(cloud).length, 1)
    })

    /** Sends requests until a condition is true. */
    async function sendUntil(condition: () => boolean, sendRequest: () => Promise<unknown>): Promise<void> {
      while (!condition()) await sendRequest()
    }
  }))
