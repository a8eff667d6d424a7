import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from './dialect.ts'
import { hasTooManyKeys, MAX_JSON_KEYS } from './json-limits.ts'

/** A JSON array of objects with the same number of keys, which repeat after `different`. */
function objects(count: number, keys: number, different: number): string {
  let key = 0
  const object = () =>
    Object.fromEntries(Array.from({ length: keys }, () => [`key number ${key++ % different}`, 1]))
  return JSON.stringify(Array.from({ length: count }, object))
}

test('ROB-9: different keys are counted across objects, repeated ones once', () => {
  assert.equal(hasTooManyKeys(objects(1, MAX_JSON_KEYS * 2, MAX_JSON_KEYS * 2)), true)
  assert.equal(hasTooManyKeys(objects(2_000, 10, 20_000)), true, 'across objects')
  assert.equal(hasTooManyKeys(objects(1, MAX_JSON_KEYS, MAX_JSON_KEYS)), false)
  assert.equal(hasTooManyKeys(objects(5_000, 10, 10)), false)
})

test('ROB-9: colons and escaped quotes inside strings are no keys', () => {
  const text = Array.from({ length: 50_000 }, (_, index) => `"${index}":\\`).join()
  assert.equal(hasTooManyKeys(JSON.stringify({ text, list: [text] })), false)
})

test('ROB-9: a message with too many keys is rejected without being parsed', () => {
  const wide = objects(1, MAX_JSON_KEYS * 2, MAX_JSON_KEYS * 2)
  const expected = { ok: false, reason: 'The message has more than 16000 different keys' }
  assert.deepEqual(decode(`{"type":"x","data":${wide}}`), expected)
  assert.deepEqual(decode(`{"type":"x","data":${wide}`), expected, 'invalid JSON is not parsed either')
})
