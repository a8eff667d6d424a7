import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readError } from './api-error.ts'

test('an error response is read by the shape of its body', () => {
  const problems = [{ field: 'name', message: 'name must not be empty' }]
  const cases: [body: unknown, expected: { message: string; code?: string; stage?: string }][] = [
    [
      { error: 'APP_NOT_FOUND', message: 'App not found' },
      { message: 'App not found', code: 'APP_NOT_FOUND' },
    ],
    [
      { error: 'S3_ERROR', message: 'No' },
      { message: 'No', code: 'S3_ERROR' },
    ],
    [{ success: false, message: 'App not found' }, { message: 'App not found' }],
    [
      { success: false, message: 'Error starting app', error: { stage: 'TIMEOUT', code: 'APP_TIMEOUT' } },
      { message: 'Error starting app', code: 'APP_TIMEOUT', stage: 'TIMEOUT' },
    ],
    [{ error: 'Photo not found' }, { message: 'Photo not found' }],
    [{ error: 'Photo not found', message: 'ignored' }, { message: 'Photo not found' }],
    [{ message: 'of a proxy' }, { message: 'The request failed (418)' }],
    [{ success: false }, { message: 'The request failed (418)' }],
    ['<html>', { message: 'The request failed (418)' }],
    [undefined, { message: 'The request failed (418)' }],
  ]
  for (const [body, expected] of cases) {
    const { status, message, code, stage } = readError(418, body)
    assert.deepEqual(
      { status, message, code, stage },
      { status: 418, code: undefined, stage: undefined, ...expected },
    )
  }
  assert.deepEqual(readError(400, { error: 'INVALID', message: 'Invalid', problems }).problems, problems)
  assert.deepEqual(readError(400, { success: false, message: 'Invalid', problems }).problems, problems)
  assert.deepEqual(readError(400, { error: 'Invalid' }).problems, [])
})

test('a rejected request says when the next one is possible', () => {
  const messageOf = (body: unknown, retryAfter: string, status = 429) =>
    readError(status, body, new Headers({ 'retry-after': retryAfter })).message
  for (const body of [
    { error: 'RATE_LIMITED', message: 'Too many requests' },
    { success: false, message: 'Too many requests' },
    { error: 'Too many requests' },
  ]) {
    assert.equal(messageOf(body, '40'), 'Too many requests. Try again in 40 seconds.')
    assert.equal(messageOf(body, '1'), 'Too many requests. Try again in 1 second.')
    for (const unknown of ['', '0', 'Mon, 23 Nov 2026 13:00:00 GMT'])
      assert.equal(messageOf(body, unknown), 'Too many requests')
  }
  const vague = { error: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts; try again later' }
  assert.equal(messageOf(vague, '442'), 'Too many attempts. Try again in 8 minutes.')
  assert.equal(
    messageOf({ error: 'Too many mails; try again tomorrow' }, '80000'),
    'Too many mails. Try again in 23 hours.',
  )
  assert.equal(messageOf({ error: 'Too many requests' }, '40', 503), 'Too many requests')
})

test('a failure of the cloud says what to do, and under what its operator finds it', () => {
  const headers = new Headers({ 'x-request-id': '6326ceeb' })
  const messageOf = (body: unknown, status = 500) => readError(status, body, headers).message
  assert.match(
    messageOf({ error: 'INTERNAL', message: 'Internal server error' }),
    /^The cloud failed\. Try again\. If .* log, under 6326ceeb\.$/,
  )
  const failedStart = { success: false, message: 'Error starting app', error: { stage: 'TIMEOUT' } }
  assert.equal(messageOf(failedStart), 'Error starting app')
  assert.equal(messageOf({ error: 'App not found' }, 404), 'App not found')
  assert.match(messageOf('<html>', 502), /proxy .*\(502\)\. Try again in a minute\.$/)
})
