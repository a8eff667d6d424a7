import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, mock, test } from 'node:test'
import { proxyTo, redisMissing, redisUrl } from '../support/redis.ts'
import {
  type LocalCloud,
  type Scope,
  startCloud,
  type TestAnswer,
  withTimeout,
} from '../support/test-cloud.ts'

const limited = (scope: Scope, perMinute: number, env: Record<string, string> = {}) =>
  startCloud(scope, { env: { REST_LIMIT_PER_MINUTE: String(perMinute), LOG_LEVEL: 'info', ...env } })

/** Asks so many times, one after the other. */
async function times(count: number, ask: () => Promise<TestAnswer>): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push((await ask()).status)
  return statuses
}

const rateHeaders = ({ headers }: TestAnswer) =>
  ['ratelimit-limit', 'ratelimit-remaining'].map((name) => headers.get(name))

describe('limits on requests', () => {
  test('LIM-1: a user has 100 requests a minute unless it is set otherwise', async (t) => {
    const cloud = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '' } })
    const token = await cloud.token('a@example.org')
    const statuses = await times(101, () => cloud.request('GET', '/api/account/me', { token }))
    assert.deepEqual(statuses, [...Array(100).fill(200), 429])
  })

  test('LIM-2: every answer says how much is left; a refusal, when to come again', async (t) => {
    const cloud = await limited(t, 2)
    const token = await cloud.token('a@example.org')
    const ask = () => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(rateHeaders(await ask()), ['2', '1'])
    const last = await ask()
    assert.deepEqual(rateHeaders(last), ['2', '0'])
    assert.equal(last.headers.get('retry-after'), null)
    const refused = await ask()
    assert.deepEqual([refused.status, ...rateHeaders(refused)], [429, '2', '0'])
    for (const name of ['ratelimit-reset', 'retry-after']) {
      const seconds = Number(refused.headers.get(name))
      assert.ok(seconds > 0 && seconds <= 60, name)
    }
  })

  const styles: [group: string, path: string, body: unknown][] = [
    ['envelope', '/api/apps/installed', { success: false, message: 'Too many requests' }],
    ['bare', '/api/account/me', { error: 'Too many requests' }],
    ['bare, of an unknown path', '/nowhere', { error: 'Too many requests' }],
    ['envelope, of an unknown path', '/api/apps/a/b/c', { success: false, message: 'Too many requests' }],
  ]
  for (const [style, path, body] of styles) {
    test(`LIM-3: a refusal is in the style of the group (${style})`, async (t) => {
      const cloud = await limited(t, 1)
      await cloud.request('GET', path)
      const refused = await cloud.request('GET', path)
      assert.deepEqual([refused.status, refused.body], [429, body])
    })
  }

  test('LIM-4: the minute over, the count begins again', async (t) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() })
    t.after(() => mock.timers.reset())
    const cloud = await limited(t, 1)
    const token = await cloud.token('a@example.org')
    const ask = () => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(await times(2, ask), [200, 429])
    mock.timers.tick(59_000)
    assert.equal((await ask()).status, 429)
    mock.timers.tick(1_000)
    assert.equal((await ask()).status, 200)
  })

  test('LIM-5: users, apps and addresses have counts of their own, over all endpoints', async (t) => {
    const cloud = await limited(t, 1)
    const [one, two] = [await cloud.token('a@example.org'), await cloud.token('b@example.org')]
    const app = await cloud.registerApp({ packageName: 'one.app' })
    const key = { headers: { 'x-api-key': app.apiKey, 'x-package-name': app.packageName } }
    const status = async (...args: Parameters<LocalCloud['request']>) => (await cloud.request(...args)).status
    const { status: first } = await cloud.request('GET', '/api/account/me', { token: one })
    assert.equal(first, 200)
    assert.equal(await status('GET', '/api/apps', { token: one }), 429)
    // Another token of the same user is on the same account.
    assert.equal(await status('GET', '/api/apps', { token: await cloud.token('a@example.org') }), 429)
    assert.equal(await status('GET', '/api/apps', { token: two }), 200)
    assert.equal(await status('GET', '/api/transcripts/x-one.app', key), 400)
    assert.equal(await status('GET', '/api/transcripts/x-one.app', key), 429)
    assert.equal(await status('GET', '/api/apps/version'), 200)
    assert.equal(await status('GET', '/api/apps/public'), 429)
  })

  test('LIM-6: guessing is on the account of the address, and stops being answered', async (t) => {
    const cloud = await limited(t, 3)
    const guess = (token: string) => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(await times(4, () => guess('guess')), [401, 401, 401, 429])
    // Whoever holds a token is not kept out by those who guess beside them.
    assert.equal((await guess(await cloud.token('a@example.org'))).status, 200)
  })

  test('LIM-7: probes are not limited', async (t) => {
    const cloud = await limited(t, 1)
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      assert.deepEqual(await times(3, () => cloud.request('GET', path)), [200, 200, 200], path)
      assert.deepEqual(rateHeaders(await cloud.request('GET', path)), [null, null])
    }
  })

  test('LIM-8: speech has a count of its own for an address, HEAD included', async (t) => {
    const cloud = await limited(t, 2, { TTS_LIMIT_PER_MINUTE: '1' })
    assert.equal((await cloud.request('GET', '/api/tts?text=a')).status, 500)
    assert.equal((await cloud.request('GET', '/api/tts?text=a')).status, 429)
    assert.equal((await cloud.request('HEAD', '/api/tts?text=a')).status, 429)
    assert.deepEqual(await times(3, () => cloud.request('GET', '/api/apps/version')), [200, 200, 429])
  })

  test('LIM-9: an address is the one that a trusted proxy names; strangers name none', async (t) => {
    const from = (cloud: LocalCloud, address: string) =>
      cloud.request('GET', '/api/apps/version', { headers: { 'x-forwarded-for': address } })
    const behindProxy = await limited(t, 1, { TRUST_PROXY: '127.0.0.1' })
    assert.equal((await from(behindProxy, '198.51.100.1')).status, 200)
    assert.equal((await from(behindProxy, '198.51.100.2')).status, 200)
    assert.equal((await from(behindProxy, '203.0.113.9, 198.51.100.1')).status, 429)
    const open = await limited(t, 1)
    assert.equal((await from(open, '198.51.100.1')).status, 200)
    assert.equal((await from(open, '198.51.100.2')).status, 429)
  })

  test('LIM-10: a /64 of IPv6 is one address, however it is written', async (t) => {
    const cloud = await limited(t, 1, { TRUST_PROXY: 'true' })
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

  test('LIM-11: what a phone asks at its start fits in twice over', async (t) => {
    const cloud = await startCloud(t, { env: { REST_LIMIT_PER_MINUTE: '' } })
    const token = await cloud.token('a@example.org')
    const paths = ['account/me', 'account/privacy', 'apps', 'apps/installed', 'apps/available', 'gallery']
    const starts = Array.from({ length: 16 }, () => paths).flat()
    const answers = await Promise.all(starts.map((path) => cloud.request('GET', `/api/${path}`, { token })))
    assert.ok(answers.every(({ status }) => status === 200))
  })
})

describe('counts in Redis', { skip: redisMissing }, () => {
  test('LIM-20: nodes count together', async (t) => {
    const one = await limited(t, 3, { REDIS_URL: redisUrl })
    const two = await limited(t, 3, { REDIS_URL: redisUrl, DATA_DIR: one.env.DATA_DIR ?? '' })
    await Promise.all([ready(one), ready(two)])
    const token = await one.token(`${crypto.randomUUID()}@example.org`)
    const ask = (cloud: LocalCloud) => cloud.request('GET', '/api/account/me', { token })
    assert.deepEqual(rateHeaders(await ask(one)), ['3', '2'])
    assert.deepEqual(rateHeaders(await ask(two)), ['3', '1'])
    assert.deepEqual(rateHeaders(await ask(one)), ['3', '0'])
    const refused = await ask(two)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })

  test('LIM-22 LIM-23: a Redis that hangs holds nobody up for long, and counts again when it is back', async (t) => {
    const proxy = await proxyTo(t, redisUrl)
    const cloud = await limited(t, 3, { REDIS_URL: proxy.url })
    await ready(cloud)
    proxy.silent = true
    const token = await cloud.token(`${crypto.randomUUID()}@example.org`)
    const ask = () => cloud.request('GET', '/api/account/me', { token })
    const began = performance.now()
    assert.deepEqual(await times(20, ask), Array(20).fill(200))
    assert.ok(performance.now() - began < 2_000, 'the requests waited one after the other')
    proxy.silent = false
    await ready(cloud)
    const lines = cloud.logged.map(({ msg }) => String(msg)).filter((msg) => msg.startsWith('redis'))
    assert.deepEqual(lines, [
      'redis does not answer: requests are not limited',
      'redis answers again: requests are limited',
    ])
    assert.deepEqual(await times(4, ask), [200, 200, 200, 429])
  })

  /** The connection is made beside the start; until it is there, nothing is counted. */
  async function ready(cloud: LocalCloud): Promise<void> {
    const headers = { authorization: `Bearer ${await cloud.token(`${crypto.randomUUID()}@example.org`)}` }
    const counted = async () => {
      for (;;) {
        const answer = await cloud.request('GET', '/api/account/me', { headers })
        if (answer.headers.get('ratelimit-remaining') !== '3') return
      }
    }
    await withTimeout(5_000, counted(), 'Redis did not count')
  }
})

describe('a Redis that is not well', () => {
  const outage = (cloud: LocalCloud) =>
    cloud.logged.filter(({ msg }) => msg === 'redis does not answer: requests are not limited')

  test('LIM-21: without Redis requests are answered, and one log line says so', async (t) => {
    const cloud = await limited(t, 1, { REDIS_URL: 'redis://127.0.0.1:1' })
    const ask = () => cloud.request('GET', '/api/apps/version')
    assert.deepEqual(await times(3, ask), [200, 200, 200])
    await withTimeout(
      5_000,
      untilSo(() => outage(cloud).length > 0, ask),
      'no log line',
    )
    await times(5, ask)
    assert.equal(outage(cloud).length, 1)
  })

  /** Until something is so; asks in between, so that time passes by work and not by waiting. */
  async function untilSo(so: () => boolean, ask: () => Promise<unknown>): Promise<void> {
    while (!so()) await ask()
  }
})

describe('limits on what a request holds', () => {
  const groups: [style: string, path: string, method: string, body: unknown][] = [
    ['bare', '/api/account/profile', 'PUT', { error: 'The request body is too large' }],
    [
      'envelope',
      '/api/apps/install/a.b',
      'POST',
      { success: false, message: 'The request body is too large' },
    ],
  ]
  for (const [style, path, method, refusal] of groups) {
    test(`LIM-30: a JSON body above 1 MiB is 413 in the style of the group (${style})`, async (t) => {
      const cloud = await startCloud(t)
      const token = await cloud.token('a@example.org')
      const answer = await cloud.request(method, path, { token, body: { name: 'x'.repeat(1024 * 1024) } })
      assert.deepEqual([answer.status, answer.body], [413, refusal])
    })
  }

  test('LIM-31: a body that never ends is cut off at the limit', async (t) => {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'info' } })
    const token = await cloud.token('a@example.org')
    const { socket, closed } = await open(t, cloud)
    socket.write(head('PUT /api/account/profile', token, 'Transfer-Encoding: chunked'))
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    let sent = 0
    while (!socket.destroyed && sent < 1_000) {
      sent += 1
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    }
    await withTimeout(10_000, closed, 'the connection was not closed')
    // Whoever is still talking may lose the answer to the reset of the connection; so the log is asked.
    assert.deepEqual(
      cloud.logged.filter(({ msg }) => msg === 'request').map(({ status, code }) => [status, code]),
      [[413, 'PAYLOAD_TOO_LARGE']],
    )
    // 17 chunks make the limit; what was under way in the buffers of both machines comes on top.
    assert.ok(sent < 500, `${sent} chunks were taken`)
  })

  test('LIM-32: a body without a caller is not read', async (t) => {
    const cloud = await startCloud(t)
    const { socket, received } = await open(t, cloud)
    socket.write(head('PUT /api/account/profile', 'nobody', 'Content-Length: 1000'))
    await withTimeout(5_000, once(socket, 'data'), 'no answer')
    assert.match(received(), /^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test('LIM-32: a body for nothing is not waited for', async (t) => {
    const cloud = await startCloud(t)
    for (const [line, status] of [
      ['POST /api/nowhere', 404],
      ['PUT /api/account/me', 405],
    ] as const) {
      const { socket, received } = await open(t, cloud)
      socket.write(head(line, 'nobody', 'Content-Length: 1000'))
      await withTimeout(5_000, once(socket, 'data'), 'no answer')
      assert.match(received(), new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(received(), /x-request-id/i)
      socket.destroy()
    }
  })

  test('LIM-33: of somebody not known a body has 16 KiB and five seconds', async (t) => {
    const cloud = await startCloud(t)
    const token = await cloud.token('ada@example.com')
    const status = async (path: string, bytes: number, credential?: string) => {
      const body = { name: 'a'.repeat(bytes) }
      return (await cloud.request('POST', path, { body, token: credential })).status
    }
    assert.equal(await status('/api/auth/exchange-token', 16_000), 400)
    assert.equal(await status('/api/auth/exchange-token', 16_384), 413)
    assert.equal(await status('/api/user-data/set-datetime', 16_384), 413)
    assert.equal(await status('/api/client/location', 16_384, token), 400)

    const late = ['/api/auth/exchange-token', '/api/error-report'].map(async (path) => {
      const { socket, received, closed } = await open(t, cloud)
      socket.write(head(`POST ${path}`, 'nobody', 'Content-Length: 1000'))
      await withTimeout(20_000, closed, `${path} is still waited for`)
      assert.match(received(), /^HTTP\/1\.1 408 /)
    })
    await Promise.all(late)
  })

  async function open(t: Scope, cloud: LocalCloud) {
    const socket = connect(cloud.cloud.port, '127.0.0.1')
    t.after(() => socket.destroy())
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.once('close', resolve))
    await once(socket, 'connect')
    return { socket, closed, received: () => text }
  }

  const head = (line: string, token: string, more: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`
})
