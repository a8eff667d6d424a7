import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode, encode, encodeDataStream, type Message } from './dialect.ts'

const message: Message = { type: 'button_press', buttonId: 'camera', pressType: 'short' }

test('DIA-1: flat and envelope messages with the same fields decode to the same message', () => {
  for (const dialect of ['flat', 'envelope'] as const) {
    assert.deepEqual(decode(encode(message, dialect)), { ok: true, dialect, message })
  }
})

test('DIA-2: first messages of each form', () => {
  const dialectOf = (raw: unknown) => {
    const decoded = decode(JSON.stringify(raw))
    return decoded.ok && decoded.dialect
  }
  assert.equal(dialectOf({ type: 'x', data: {} }), 'envelope')
  assert.equal(dialectOf({ type: 'x', data: { a: 1 }, timestamp: 1, sessionId: 's' }), 'envelope')
  assert.equal(dialectOf({ type: 'x', data: { a: 1 }, b: 2 }), 'flat')
  assert.equal(dialectOf({ type: 'x', data: 'text' }), 'flat')
  assert.equal(dialectOf({ type: 'x' }), 'flat')
})

test('DIA-3: messages with and without data in each dialect', () => {
  assert.deepEqual(decode('{"type":"x","data":{"a":1}}', 'flat'), {
    ok: true,
    dialect: 'flat',
    message: { type: 'x', data: { a: 1 } },
  })
  assert.deepEqual(decode('{"type":"ping"}', 'envelope'), {
    ok: true,
    dialect: 'envelope',
    message: { type: 'ping' },
  })
})

test('DIA-4: a payload cannot change the type of its envelope', () => {
  const decoded = decode('{"type":"x","data":{"type":"y"}}')
  assert.equal(decoded.ok && decoded.message.type, 'x')
})

test('DIA-5: a message in both dialects contains both forms', () => {
  const text = encode(message, 'both')
  const { data, ...flat } = JSON.parse(text)
  assert.deepEqual(flat, message)
  assert.deepEqual(data, { buttonId: 'camera', pressType: 'short' })
})

test('DIA-6: an invalid message is rejected with a reason', () => {
  for (const text of ['', '{', 'null', '[]', '7', '"x"', '{}', '{"type":7}', '{"type":""}']) {
    const decoded = decode(text)
    assert.equal(decoded.ok, false, text)
    assert.ok(!decoded.ok && decoded.reason.length > 0)
  }
})

test('DIA-1: encodeDataStream writes the same frame as encode', () => {
  const envelope = {
    sessionId: 's-a',
    streamType: 'transcription:en-US',
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  for (const dialect of ['flat', 'envelope'] as const) {
    const expected = encode({ type: 'data_stream', ...envelope, data: { text: 'hi' } }, dialect)
    assert.deepEqual(JSON.parse(encodeDataStream(envelope, '{"text":"hi"}', dialect)), JSON.parse(expected))
  }
})

test('DIA-8: a message that nests too deeply is rejected', () => {
  const nested = (levels: number) => `{"type":"x","a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  const deepest = decode(nested(63))
  assert.ok(deepest.ok)
  JSON.stringify(deepest.message)
  for (const text of [nested(64), nested(100_000), nested(64).replace('"a"', '"data"')])
    assert.equal(decode(text).ok, false)
})
