import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recent } from './lru-cache.ts'

test('STO-61: as many as allowed are kept, those used last', () => {
  const made: string[] = []
  const get = recent(2, (key) => {
    made.push(key)
    return `${key}!`
  })
  assert.deepEqual(['a', 'b', 'a', 'c', 'a'].map(get), ['a!', 'b!', 'a!', 'c!', 'a!'])
  assert.deepEqual(made, ['a', 'b', 'c'], 'a was used after b, and stayed')
  get('b')
  assert.deepEqual(made, ['a', 'b', 'c', 'b'], 'b had to make room')
})
