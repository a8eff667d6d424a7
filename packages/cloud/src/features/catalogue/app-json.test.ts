import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listJson } from './app-json.ts'

const entry = (text: string) => Buffer.from(JSON.stringify(text))
const parse = (json: Buffer) => JSON.parse(json.toString()).data

test('CAT-7: the same entries are joined once; a list that differs in any of them is built', () => {
  const [a, b, c] = [entry('a'), entry('b'), entry('c')]
  const list = listJson([[a], [b]])
  assert.deepEqual(parse(list), ['a', 'b'])
  assert.equal(listJson([[a], [b]]), list)
  assert.deepEqual(parse(listJson([[a], [c]])), ['a', 'c'])
  assert.deepEqual(parse(listJson([[a]])), ['a'])
  assert.deepEqual(parse(listJson([[a], [b], [c]])), ['a', 'b', 'c'])
  assert.deepEqual(parse(listJson([])), [])
})

test('CAT-7: a list with an entry of one user is not kept', () => {
  const start = Buffer.from('{"a":1')
  const entries = [[start, Buffer.from('}')]]
  const list = listJson(entries)
  assert.deepEqual(parse(list), [{ a: 1 }])
  assert.notEqual(listJson(entries), list)
})
