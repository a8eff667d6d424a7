import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from './log.ts'
import { createThingsEndpoint, jsonRequest, serve } from './testing.ts'

describe('responses', () => {
  test('HTTP-20: a response contains only the fields of its schema', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    const response = await request('/api/things/a', jsonRequest({ name: 'n' }))
    assert.deepEqual(response.body, { id: 'a', name: 'n' })
  })

  test('HTTP-21: valid, invalid and missing request ids', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    const idOf = async (path: string, requestId?: string) => {
      const response = await request(
        path,
        requestId === undefined ? {} : { headers: { 'x-request-id': requestId } },
      )
      return response.headers.get('x-request-id') ?? ''
    }
    assert.equal(await idOf('/healthz', 'trace-1.a:b_c'), 'trace-1.a:b_c')
    assert.equal(await idOf('/nowhere', 'trace-2'), 'trace-2')
    for (const odd of ['x'.repeat(65), 'a b', '<script>']) {
      const id = await idOf('/healthz', odd)
      assert.match(id, /^[0-9a-f-]{36}$/)
    }
    assert.notEqual(await idOf('/healthz'), await idOf('/healthz'))
  })

  test('HTTP-22: every response has security headers', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    for (const path of ['/healthz', '/nowhere', '/api/%zz']) {
      const { headers } = await request(path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
      assert.equal(headers.get('strict-transport-security'), null)
    }
    const secure = await serve(t, [], { strictTransport: true })
    const { headers } = await secure.request('/healthz')
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
  })
})

describe('logs and metrics', () => {
  test('HTTP-30: each request is logged once, without URL, query or body', async (t) => {
    const { request, requestLines, lines } = await serve(t, [createThingsEndpoint('bare')])
    await request('/api/things/missing?apiKey=the-key&userId=a@b.de', {
      ...jsonRequest({ name: 'the-text' }),
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer the-token',
        'x-request-id': 'id-1',
      },
    })
    const [line] = requestLines()
    assert.equal(requestLines().length, 1)
    const { method, route, status, ms, requestId, code } = line ?? {}
    assert.deepEqual(
      { method, route, status, requestId, code },
      { method: 'POST', route: '/api/things/:id', status: 404, requestId: 'id-1', code: 'APP_NOT_FOUND' },
    )
    assert.equal(typeof ms, 'number')
    assert.doesNotMatch(JSON.stringify(lines), /the-key|a@b\.de|the-text|the-token|things\/missing/)
  })

  test('HTTP-31: secrets are redacted by name, errors are logged without additional fields', () => {
    const written: string[] = []
    const log = createLog('info', { write: (line: string) => void written.push(line) })
    log.info({
      token: 'S1',
      user: { email: 'S2', id: 'kept' },
      apiKey: 'S3',
      headers: { authorization: 'S4' },
    })
    const err = Object.assign(new Error('duplicate key', { cause: new Error('underneath') }), {
      code: '23505',
      detail: 'Key (email)=(S5) already exists.',
    })
    log.error({ err })
    const all = written.join('')
    assert.doesNotMatch(all, /S[1-5]/)
    for (const kept of ['kept', 'duplicate key', '23505', 'underneath']) assert.ok(all.includes(kept), kept)
  })

  test('HTTP-32: requests are counted by pattern', async (t) => {
    const { request, metrics } = await serve(t, [createThingsEndpoint('bare')])
    metrics.gauge('test_things', 'Things', () => 7)
    await request('/api/things/someone@example.org', jsonRequest({ name: 'n' }))
    const { text, headers } = await request('/metrics')
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(
      text,
      /http_request_duration_seconds_count\{method="POST",route="\/api\/things\/:id",status="200"\} 1/,
    )
    assert.match(text, /^test_things 7$/m)
    assert.match(text, /^process_cpu_seconds_total /m)
    assert.doesNotMatch(text, /someone/)
  })
})

describe('probes', () => {
  test('HTTP-40: /healthz returns 200 during the start', async (t) => {
    const { request } = await serve(t, [])
    const { status, body } = await request('/healthz')
    assert.deepEqual([status, body], [200, { status: 'ok' }])
  })

  test('HTTP-41: /readyz returns 200 between start and shutdown while all checks pass', async (t) => {
    const { request, readiness } = await serve(t, [])
    const reasons = async () => {
      const { status, body } = await request('/readyz')
      return status === 200 ? 'ready' : (body as { reasons: string[] }).reasons
    }
    assert.deepEqual(await reasons(), ['the server is starting'])
    readiness.ready()
    assert.equal(await reasons(), 'ready')

    let broken: Error | undefined
    readiness.add({
      name: 'database',
      run: async () => {
        if (broken !== undefined) throw broken
        return undefined
      },
    })
    assert.equal(await reasons(), 'ready')
    broken = new Error('connect ECONNREFUSED 10.0.0.7')
    assert.deepEqual(await reasons(), ['database: not reachable'])
    broken = undefined
    assert.equal(await reasons(), 'ready')

    readiness.stopping()
    assert.deepEqual(await reasons(), ['the server is stopping'])
    readiness.ready()
    assert.deepEqual(await reasons(), ['the server is stopping'])
  })
})
