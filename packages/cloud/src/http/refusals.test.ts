import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AnswerStyle } from '@glasses-cloud/contract'
import { errorBody } from './error-body.ts'
import { Fault, fault } from './fault.ts'
import { createThingsEndpoint, jsonRequest, serve } from './testing.ts'

const named = jsonRequest({ name: 'n' })

describe('saying no', () => {
  const wordings: [AnswerStyle, unknown][] = [
    ['envelope', { success: false, message: 'App not found', hint: 'look', error: 'x' }],
    ['bare', { error: 'App not found', hint: 'look', success: true }],
    ['coded', { error: 'APP_NOT_FOUND', message: 'App not found', hint: 'look', success: true }],
  ]
  for (const [style, body] of wordings) {
    test(`HTTP-1 HTTP-2: in the ${style} style, further fields beside its own`, async (t) => {
      const { ask } = await serve(t, [createThingsEndpoint(style)])
      const answer = await ask('/api/things/missing', named)
      assert.equal(answer.status, 404)
      assert.deepEqual(answer.body, body)
      assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    })
  }

  test('HTTP-3: an entry with a style of its own keeps it', () => {
    const odd = Object.assign(new Fault('APP_NOT_FOUND'), {
      entry: { status: 404, message: 'App not found', style: 'bare' },
    })
    assert.deepEqual(errorBody(odd, 'envelope'), { error: 'App not found' })
    assert.deepEqual(errorBody(fault('APP_NOT_FOUND'), 'envelope'), {
      success: false,
      message: 'App not found',
    })
  })

  test('HTTP-4: an exception is the endpoint’s failure, logged once and told to nobody', async (t) => {
    const { ask, lines } = await serve(t, [createThingsEndpoint('bare')])
    const answer = await ask('/api/things/broken', named)
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, { error: 'Internal server error' })
    const logged = lines.filter((line) => JSON.stringify(line).includes('the secret innards'))
    assert.equal(logged.length, 1)
  })

  test('HTTP-4: an endpoint may name its failure', async (t) => {
    const { ask } = await serve(t, [createThingsEndpoint('envelope', { failure: 'APP_START_FAILED' })])
    const answer = await ask('/api/things/broken', named)
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body, { success: false, message: 'Error starting app' })
  })

  test('HTTP-5: an unknown path is 404 in the style of its neighbours', async (t) => {
    const { ask } = await serve(t, [createThingsEndpoint('envelope')])
    const near = await ask('/api/things/a/b')
    assert.deepEqual([near.status, near.body], [404, { success: false, message: 'Not found' }])
    const far = await ask('/api/elsewhere?api=/api/things')
    assert.deepEqual([far.status, far.body], [404, { error: 'Not found' }])
  })

  test('HTTP-6: a known path with another method is 405 with Allow', async (t) => {
    const { ask } = await serve(t, [
      createThingsEndpoint('envelope'),
      createThingsEndpoint('envelope', { method: 'DELETE' }),
    ])
    const answer = await ask('/api/things/a?x=1', { method: 'PUT' })
    assert.deepEqual([answer.status, answer.body], [405, { success: false, message: 'Method not allowed' }])
    assert.equal(answer.headers.get('allow'), 'DELETE, POST')
    const probe = await ask('/healthz', { method: 'POST' })
    assert.equal(probe.status, 405)
    assert.equal(probe.headers.get('allow'), 'GET, HEAD')
  })

  test('HTTP-7: an address that cannot be decoded is 400', async (t) => {
    const { ask } = await serve(t, [createThingsEndpoint('envelope')])
    const answer = await ask('/api/things/%zz', named)
    assert.deepEqual([answer.status, answer.body], [400, { error: 'Invalid request' }])
    assert.ok(answer.headers.get('x-request-id'))
  })
})
