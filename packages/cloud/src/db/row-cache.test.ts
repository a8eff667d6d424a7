import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache } from './row-cache.ts'

test('the least recently used entry is evicted', () => {
  const created: string[] = []
  const cache = new LruCache<string>(2)
  const get = (key: string) =>
    cache.getOrCreate(key, () => {
      created.push(key)
      return `${key}!`
    })
  assert.deepEqual(['a', 'b', 'a', 'c', 'a'].map(get), ['a!', 'b!', 'a!', 'c!', 'a!'])
  assert.deepEqual(created, ['a', 'b', 'c'], 'a was used after b and is still cached')
  get('b')
  assert.deepEqual(created, ['a', 'b', 'c', 'b'], 'b was evicted')
})
