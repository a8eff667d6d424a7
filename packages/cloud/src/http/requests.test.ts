import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { none } from './auth/open-schemes.ts'
import { coreTokenSecurity } from './auth/user-schemes.ts'
import { createThingsEndpoint, jsonRequest, serve } from './testing.ts'

/** An endpoint that requires a token, which every request has. */
const withToken = { ...none, security: [coreTokenSecurity] }

describe('requests', () => {
  const invalid: [name: string, path: string, init: RequestInit, message: string][] = [
    ['a missing field', '/things/a', jsonRequest({}), 'name is required'],
    ['an empty field', '/things/a', jsonRequest({ name: '' }), 'name must not be empty'],
    [
      'a wrong type inside',
      '/things/a',
      jsonRequest({ name: 'n', parts: ['a', 1] }),
      'parts[1] must be a string',
    ],
    ['a list for an object', '/things/a', jsonRequest([]), 'The body must be an object'],
    ['a number out of bounds', '/things/a?limit=10', jsonRequest({ name: 'n' }), 'limit must be 9 or less'],
    [
      'a repeated parameter',
      '/things/a?limit=1&limit=2',
      jsonRequest({ name: 'n' }),
      'limit must be a whole number',
    ],
  ]
  for (const [name, path, init, message] of invalid) {
    test(`HTTP-10: ${name} returns 400 with the name of the field`, async (t) => {
      let handled = 0
      const counting = createThingsEndpoint('envelope', {
        handler: async ({ reply }) => {
          handled += 1
          return reply.send({})
        },
      })
      const { request } = await serve(t, [counting])
      const response = await request(path, init)
      assert.deepEqual([response.status, response.body], [400, { success: false, message }])
      assert.equal(handled, 0)
    })
  }

  test('HTTP-10: an endpoint can choose the error for an invalid part', async (t) => {
    const { request } = await serve(t, [
      createThingsEndpoint('envelope', {
        invalid: ({ part, field }) =>
          part === 'querystring' && field === 'limit' ? 'SEARCH_QUERY_REQUIRED' : 'BAD_REQUEST',
      }),
    ])
    const limit = await request('/things/a?limit=x', jsonRequest({ name: 'n' }))
    assert.deepEqual(
      [limit.status, limit.body],
      [400, { success: false, message: 'Search query is required' }],
    )
    const name = await request('/things/a', jsonRequest({}))
    assert.deepEqual(name.body, { success: false, message: 'name is required' })
  })

  test('HTTP-11: text is converted to numbers and booleans where the schema requires them', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    const status = async (path: string, headers = {}) => {
      const init = jsonRequest({ name: 'n' })
      return (await request(path, { ...init, headers: { ...init.headers, ...headers } })).status
    }
    assert.deepEqual((await request('/things/7?limit=3', jsonRequest({ name: 'n' }))).body, {
      id: '7',
      limit: 3,
      name: 'n',
    })
    for (const limit of ['1.5', 'true', '', ' 3', '0x3', '1e0', 'null', '[3]']) {
      assert.equal(await status(`/things/a?limit=${encodeURIComponent(limit)}`), 400, limit)
    }
    assert.equal(await status('/things/a', { 'x-deep': 'true' }), 200)
    assert.equal(await status('/things/a', { 'x-deep': 'yes' }), 400)
  })

  test('HTTP-12: JSON values are not converted', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    assert.equal((await request('/things/a', jsonRequest({ name: 'n', size: 3 }))).status, 200)
    assert.deepEqual((await request('/things/a', jsonRequest({ name: 'n', size: '3' }))).body, {
      error: 'size must be a number',
    })
    assert.deepEqual((await request('/things/a', jsonRequest({ name: 'n', parts: 'p' }))).body, {
      error: 'parts must be a list',
    })
    assert.deepEqual((await request('/things/a', jsonRequest({ name: 5 }))).body, {
      error: 'name must be a string',
    })
  })

  test('HTTP-13: malformed JSON and __proto__ keys return 400', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    for (const body of [
      '{"name":',
      '{"name":"n","__proto__":{"a":1}}',
      '{"name":"n","constructor":{"prototype":{}}}',
    ]) {
      const response = await request('/things/a', jsonRequest(body))
      assert.deepEqual(
        [response.status, response.body],
        [400, { error: 'The body could not be read; send valid JSON' }],
        body,
      )
    }
  })

  test('HTTP-13: JSON that is nested too deeply returns 400', async (t) => {
    const open = createThingsEndpoint('bare', {
      auth: withToken,
      schema: { body: Type.Object({ deep: Type.Unknown() }), response: { 200: Type.Unknown() } },
      handler: async ({ reply }) => reply.send({}),
    })
    const { request } = await serve(t, [open])
    const body = (levels: number) =>
      jsonRequest(`{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)
    assert.equal((await request('/things/a', body(64))).status, 200)
    for (const levels of [65, 5_000, 400_000]) {
      const response = await request('/things/a', body(levels))
      assert.deepEqual(
        [response.status, response.body],
        [400, { error: 'The body is nested deeper than 64 levels' }],
        `${levels}`,
      )
    }
  })

  test('ROB-9: a body with too many different keys returns 413', async (t) => {
    const open = createThingsEndpoint('bare', { auth: withToken })
    const { request } = await serve(t, [open])
    const parts = (count: number) =>
      jsonRequest(`{"name":"n",${Array.from({ length: count }, (_, key) => `"key ${key}":1`).join()}}`)
    assert.equal((await request('/things/a', parts(10_000))).status, 200)
    const response = await request('/things/a', parts(20_000))
    assert.deepEqual(
      [response.status, response.body],
      [413, { error: 'The body has more than 16000 different keys' }],
    )
  })

  test('HTTP-14: a body above the limit returns 413', async (t) => {
    const small = createThingsEndpoint('bare', { url: '/small', limits: { bodyBytes: 100 } })
    const { request } = await serve(t, [createThingsEndpoint('bare', { auth: withToken }), small])
    const body = (length: number) => jsonRequest({ name: 'x'.repeat(length) })
    assert.equal((await request('/things/a', body(1024 * 1024 - 100))).status, 200)
    const rejected = await request('/things/a', body(1024 * 1024))
    assert.deepEqual(
      [rejected.status, rejected.body],
      [413, { error: 'The request body is too large; at most 1,048,576 bytes are allowed' }],
    )
    assert.equal((await request('/small', body(101))).status, 413)
  })

  test('HTTP-14: a client that still sends a rejected body gets the response, and its connection stays open', async (t) => {
    const { url } = await serve(t, [createThingsEndpoint('bare', { auth: withToken })])
    const head = (bytes: number) =>
      `POST /things/a HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    socket.setEncoding('utf8').write(head(4_000_000))
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 413/)
    socket.write(`${'x'.repeat(4_000_000)}${head(12)}{"name":"n"}`)
    assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200/)
    const other = connect(Number(new URL(url).port), '127.0.0.1')
    other.setEncoding('utf8').write(head(20_000_000))
    assert.match(String(await once(other, 'data')), /^HTTP\/1\.1 413.*\r\nconnection: close/s)
    await once(other, 'close')
  })

  test('HTTP-15: a content type other than JSON returns 415', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('coded')])
    const response = await request('/things/a', {
      method: 'POST',
      body: 'name=n',
      headers: { 'content-type': 'text/plain' },
    })
    assert.equal(response.status, 415)
    assert.deepEqual(response.body, {
      error: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'The content type is not supported; send application/json',
    })
  })

  test('HTTP-16: unexpected bodies are ignored, missing bodies count as empty', async (t) => {
    const { schema } = createThingsEndpoint('bare')
    const bodiless = createThingsEndpoint('bare', {
      url: '/bodiless',
      schema: { response: schema.response },
      handler: async ({ reply }) => reply.send({ id: 'a', name: 'n' }),
    })
    const optional = createThingsEndpoint('bare', {
      url: '/optional',
      schema: { body: Type.Object({ reason: Type.Optional(Type.String()) }), response: schema.response },
      handler: async ({ reply }) => reply.send({ id: 'a', name: 'n' }),
    })
    const { request } = await serve(t, [bodiless, optional, createThingsEndpoint('bare')])
    for (const init of [
      { method: 'POST' },
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      jsonRequest('not json'),
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
    ]) {
      assert.equal((await request('/bodiless', init)).status, 200, JSON.stringify(init))
    }
    assert.equal((await request('/optional', { method: 'POST' })).status, 200)
    assert.deepEqual((await request('/things/a', { method: 'POST' })).body, { error: 'name is required' })
  })

  test('HTTP-17: a slow body', {
    timeout: 10_000,
  }, async (t) => {
    const { url } = await serve(t, [createThingsEndpoint('bare', { limits: { arrivalMs: 200 } })])
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(
      'POST /things/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"na',
    )
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    await once(socket, 'close')
    assert.match(received, /^HTTP\/1\.1 408 /)
    assert.match(received, /\{"error":"The request took too long to arrive"\}$/)
  })

  test('HTTP-17: slow headers', async (t) => {
    const { url } = await serve(t, [createThingsEndpoint('bare')])
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write('POST /things/a HTTP/1.1\r\nHost: x\r\n')
    const [response] = await once(socket, 'data')
    assert.match(String(response), /^HTTP\/1\.1 408 /)
  })

  test('HTTP-18: trailing and repeated slashes', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('bare')])
    for (const path of ['/api/things/a/', '//api/things/a', '/api///things/a//'])
      assert.equal((await request(path, jsonRequest({ name: 'n' }))).status, 200, path)
    assert.equal((await request('/api/things/a/', { method: 'PUT' })).status, 405)
  })
})
