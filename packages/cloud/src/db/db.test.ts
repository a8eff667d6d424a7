import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { DatabaseClock } from './database-clock.ts'
import { inBatches } from './queries.ts'
import { LruCache } from './row-cache.ts'
import { onPostgres } from './testing.ts'

describe('the clock of the database', () => {
  onPostgres(({ open }) => {
    test('SHARE-30: wall time is that of the database, whatever the clock of the machine shows', async (t) => {
      const db = await open(t)
      const machine = new VirtualClock(Date.now() - 10 * 60_000)
      const reported: object[] = []
      const log = pino({ level: 'warn' }, { write: (line: string) => void reported.push(JSON.parse(line)) })
      const clock = await DatabaseClock.open(machine, db, log)
      t.after(() => clock.close())
      assert.ok(Math.abs(clock.now() - Date.now()) < 2_000)
      assert.equal(reported.length, 1)
      const before = clock.now()
      machine.jumpWallClock(60 * 60_000)
      assert.equal(clock.now(), before)
      machine.advance(1_000)
      assert.equal(clock.now(), before + 1_000)
    })
  })
})

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

describe('batches', () => {
  test('every item is in one batch, in order, and batches have five sizes', () => {
    const sizes = new Set<number>()
    for (let length = 0; length <= 700; length++) {
      const items = Array.from({ length }, (_, index) => index)
      const batches = [...inBatches(items)]
      assert.deepEqual(batches.flat(), items)
      for (const batch of batches) sizes.add(batch.length)
    }
    assert.deepEqual(
      [...sizes].sort((a, b) => a - b),
      [1, 4, 16, 64, 256],
    )
  })
})
