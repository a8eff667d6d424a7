import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import { LazyMap, LazySet } from './lazy-collections.ts'

test('a lazy map behaves like a map, also after it was emptied', () => {
  const map = new LazyMap<string, number>()
  assert.deepEqual([map.size, map.get('a'), map.has('a'), [...map]], [0, undefined, false, []])
  map.delete('a')
  map.clear()
  for (let round = 0; round < 2; round += 1) {
    map.set('a', 1)
    map.set('b', 2)
    map.set('a', 3)
    assert.deepEqual([map.size, map.get('a'), map.has('b')], [2, 3, true])
    assert.deepEqual(
      [[...map], [...map.keys()], [...map.values()]],
      [
        [
          ['a', 3],
          ['b', 2],
        ],
        ['a', 'b'],
        [3, 2],
      ],
    )
    for (const [key] of map) map.delete(key)
    assert.deepEqual([map.size, map.has('a'), [...map.keys()], [...map.values()]], [0, false, [], []])
  }
  map.set('c', 4)
  map.clear()
  assert.equal(map.size, 0)
})

test('a lazy set behaves like a set, also after it was emptied', () => {
  const set = new LazySet<string>()
  assert.deepEqual([set.size, set.has('a'), [...set]], [0, false, []])
  set.delete('a')
  set.clear()
  for (let round = 0; round < 2; round += 1) {
    set.add('a')
    set.add('b')
    set.add('a')
    assert.deepEqual([set.size, set.has('b'), [...set]], [2, true, ['a', 'b']])
    for (const value of set) set.delete(value)
    assert.deepEqual([set.size, set.has('a'), [...set]], [0, false, []])
  }
  set.add('c')
  set.clear()
  assert.equal(set.size, 0)
})

test('a thousand lazy maps and sets that were emptied keep no map and no set', () => {
  const count = () => queryObjects(Map, { format: 'count' }) + queryObjects(Set, { format: 'count' })
  const before = count()
  const collections = Array.from({ length: 1_000 }, () => ({ map: new LazyMap(), set: new LazySet() }))
  for (const { map, set } of collections) {
    map.set('a', 1)
    set.add('a')
  }
  assert.ok(count() >= before + 2_000)
  for (const { map, set } of collections) {
    map.delete('a')
    set.delete('a')
  }
  assert.ok(count() < before + 100)
})
