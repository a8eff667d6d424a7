import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { JSON_NULL, validatorCompiler } from '../../src/http/validation.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

describe('bodies', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let token: string

  before(async () => {
    cloud = await startCloud(scope)
    token = await cloud.token('ada@example.com')
  })

  const call = (method: string, path: string, body?: unknown) =>
    cloud.request<Record<string, unknown>>(method, path, { token, body })

  test('HTTP-19: null as body', async () => {
    await call('PUT', '/api/account/profile', { displayName: 'Ada', hobby: 'engines' })
    const before = (await call('GET', '/api/account/me')).body
    for (const [method, path] of [
      ['PUT', '/api/account/profile'],
      ['PUT', '/api/account/privacy'],
      ['POST', '/api/account/request-export'],
      ['POST', '/api/account/request-deletion'],
      ['POST', '/api/client/device/state'],
      ['PUT', '/api/client/user/settings'],
    ] as const) {
      const { status, body } = await call(method, path, 'null')
      assert.deepEqual([status, body], [400, { error: 'The body must be an object' }], path)
    }
    assert.deepEqual((await call('GET', '/api/account/me')).body, before)
    assert.deepEqual((await call('GET', '/api/account/privacy')).status, 200)
  })

  test('HTTP-19: no endpoint that expects an object accepts null', () => {
    for (const endpoint of cloud.cloud.server.endpoints) {
      const { body } = endpoint.schema
      if (body === undefined) continue
      const url = String(endpoint.url)
      const { method } = endpoint
      const validate = validatorCompiler({ schema: body, method, url, httpPart: 'body' })
      const rejects = (value: unknown) => 'error' in Object(validate(value))
      if (rejects(7)) assert.ok(rejects(JSON_NULL), `${method} ${url}`)
    }
  })

  test('HTTP-16: a missing body still counts as an empty object', async () => {
    assert.equal((await call('PUT', '/api/account/privacy')).status, 200)
  })

  test('ROB-8: long lists and wide objects return 400', async () => {
    const wide = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']))
    const events = Array(1_001).fill({ id: '1', title: 'Tea', start: '2026-01-01' })
    for (const [method, path, body, error] of [
      ['POST', '/api/client/calendar', { events }, 'events must have at most 1000 entries'],
      ['PUT', '/api/account/profile', wide(1_001), 'The body must not have more than 1000 properties'],
      [
        'PUT',
        '/api/client/user/settings',
        { settings: wide(601) },
        'settings must not have more than 600 properties',
      ],
    ] as const) {
      const response = await call(method, path, body)
      assert.deepEqual([response.status, response.body], [400, { error }], path)
    }
    const { body } = await call('GET', '/api/client/user/settings')
    assert.deepEqual((body.data as { settings: object }).settings, {})
  })

  test('ROB-7: a large invalid body is rejected without details', async () => {
    const large = { format: 'json', padding: 'x'.repeat(33_000) }
    const small = { format: 'xml' }
    const responses = await Promise.all([
      call('POST', '/api/account/request-export', { ...large, format: 'xml' }),
      call('POST', '/api/account/request-export', small),
    ])
    assert.deepEqual(
      responses.map(({ status, body }) => [status, body]),
      [
        [400, { error: 'The body is not valid' }],
        [400, { error: 'format must be one of json, csv' }],
      ],
    )
  })
})
