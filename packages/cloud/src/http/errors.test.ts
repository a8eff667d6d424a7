import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ErrorStyle } from '@glasses-cloud/contract'
import { BusError } from '../bus/index.ts'
import type { Endpoint } from './endpoint.ts'
import { errorBody } from './error-handler.ts'
import { Fault, fault } from './fault.ts'
import { createThingsEndpoint, jsonRequest, serve } from './testing.ts'

const ERROR_LEVEL = 50
const WARNING_LEVEL = 40

const named = jsonRequest({ name: 'n' })

describe('errors', () => {
  const bodies: [ErrorStyle, unknown][] = [
    ['envelope', { success: false, message: 'App not found', hint: 'look', error: 'x' }],
    ['bare', { error: 'App not found', hint: 'look', success: true }],
    ['coded', { error: 'APP_NOT_FOUND', message: 'App not found', hint: 'look', success: true }],
    [
      'supabase',
      {
        code: 404,
        error_code: 'validation_failed',
        msg: 'App not found',
        hint: 'look',
        error: 'x',
        success: true,
      },
    ],
  ]
  for (const [style, body] of bodies) {
    test(`HTTP-1 HTTP-2: errors in the ${style} style, with extra fields`, async (t) => {
      const { request } = await serve(t, [createThingsEndpoint(style)])
      const response = await request('/api/things/missing', named)
      assert.equal(response.status, 404)
      assert.deepEqual(response.body, body)
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    })
  }

  test('HTTP-3: an error with its own style keeps it', () => {
    const odd = Object.assign(new Fault('APP_NOT_FOUND'), {
      entry: { status: 404, message: 'App not found', style: 'bare' },
    })
    assert.deepEqual(errorBody(odd, 'envelope'), { error: 'App not found' })
    assert.deepEqual(errorBody(fault('APP_NOT_FOUND'), 'envelope'), {
      success: false,
      message: 'App not found',
    })
  })

  test('HTTP-4: an exception is logged once and returned as INTERNAL', async (t) => {
    const { request, lines } = await serve(t, [createThingsEndpoint('bare')])
    const response = await request('/api/things/broken', named)
    assert.equal(response.status, 500)
    assert.deepEqual(response.body, { error: 'Internal server error' })
    const logged = lines.filter((line) => JSON.stringify(line).includes('the secret innards'))
    assert.deepEqual(
      logged.map(({ level }) => level),
      [ERROR_LEVEL],
    )
  })

  test('STO-88: a database without space on its disk returns 507, whatever type was to be sent', async (t) => {
    for (const full of [{ errcode: 13 }, { code: '53100' }]) {
      const handler: Endpoint['handler'] = ({ reply }) => {
        void reply.type('text/event-stream')
        return Promise.reject(Object.assign(new Error('database or disk is full'), full))
      }
      const { request } = await serve(t, [createThingsEndpoint('coded', { handler })])
      const response = await request('/api/things/x', named)
      const message = 'The disk of the server is full; the operator must make space'
      assert.deepEqual([response.status, response.body], [507, { error: 'INSUFFICIENT_STORAGE', message }])
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    }
  })

  test('HTTP-4: a failure of another server is logged as a warning', async (t) => {
    const handler = () => Promise.reject(fault('APP_START_FAILED', { cause: 'The app does not respond' }))
    const { request, lines } = await serve(t, [createThingsEndpoint('bare', { handler })])
    assert.equal((await request('/api/things/x', named)).status, 500)
    const logged = lines.filter(({ msg }) => msg === 'request failed')
    assert.deepEqual(
      logged.map(({ level, code }) => [level, code]),
      [[WARNING_LEVEL, 'APP_START_FAILED']],
    )
  })

  test('HTTP-4: a node that cannot be reached is logged as a warning', async (t) => {
    const handler = () => Promise.reject(new BusError('LOST', 'The other node is gone'))
    const { request, lines } = await serve(t, [createThingsEndpoint('bare', { handler })])
    assert.equal((await request('/api/things/x', named)).status, 503)
    const logged = lines.filter(({ msg }) => msg === 'request failed')
    assert.deepEqual(
      logged.map(({ level, code }) => [level, code]),
      [[WARNING_LEVEL, 'NODE_UNAVAILABLE']],
    )
  })

  test('HTTP-4: an exception is returned as the failure of the endpoint', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('envelope', { failure: 'APP_START_FAILED' })])
    const response = await request('/api/things/broken', named)
    assert.equal(response.status, 500)
    assert.deepEqual(response.body, { success: false, message: 'Error starting app' })
  })

  test('HTTP-5: an unknown path returns 404 in the style of its group', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('envelope')])
    const near = await request('/api/things/a/b')
    assert.deepEqual([near.status, near.body], [404, { success: false, message: 'Not found' }])
    const far = await request('/api/elsewhere?api=/api/things')
    assert.deepEqual([far.status, far.body], [404, { error: 'Not found' }])
  })

  test('HTTP-6: an unsupported method returns 405 with Allow', async (t) => {
    const { request } = await serve(t, [
      createThingsEndpoint('envelope'),
      createThingsEndpoint('envelope', { method: 'DELETE' }),
    ])
    const response = await request('/api/things/a?x=1', { method: 'PUT' })
    assert.deepEqual(
      [response.status, response.body],
      [405, { success: false, message: 'Method not allowed' }],
    )
    assert.equal(response.headers.get('allow'), 'DELETE, POST')
    const probe = await request('/healthz', { method: 'POST' })
    assert.equal(probe.status, 405)
    assert.equal(probe.headers.get('allow'), 'GET, HEAD')
  })

  test('HTTP-7: a malformed URL returns 400', async (t) => {
    const { request } = await serve(t, [createThingsEndpoint('envelope')])
    const response = await request('/api/things/%zz', named)
    assert.deepEqual([response.status, response.body], [400, { error: 'Invalid request' }])
    assert.ok(response.headers.get('x-request-id'))
  })
})
