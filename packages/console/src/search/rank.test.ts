import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepare, rank } from './rank.ts'

const titles = (entries: readonly { title: string }[]) => entries.map(({ title }) => title)

test('CON-212: the best matches are first, and each word must match', () => {
  const entries = prepare([
    { title: 'Data', words: '' },
    { title: 'Your data', words: 'export' },
    { title: 'Metadata', words: '' },
    { title: 'Database', words: '' },
    { title: 'Privacy', words: 'share usage data' },
    { title: 'Apps', words: 'store' },
  ])
  assert.deepEqual(titles(rank(entries, 'data', 9)), ['Data', 'Database', 'Your data', 'Metadata', 'Privacy'])
  assert.deepEqual(titles(rank(entries, ' EXPORT data ', 9)), ['Your data'])
  assert.deepEqual(titles(rank(entries, 'data', 2)), ['Data', 'Database'])
  assert.deepEqual(rank(entries, 'data nothing', 9), [])
  assert.deepEqual(rank(entries, '  ', 9), [])
})

test('CON-212: thousands of apps are searched within a frame', () => {
  const apps = Array.from({ length: 5_000 }, (_, index) => ({
    title: `App ${index} that shows words`,
    words: `org.example.app${index}`,
  }))
  const entries = prepare(apps)
  const times = Array.from({ length: 9 }, (_, index) => {
    const start = process.threadCpuUsage()
    assert.equal(rank(entries, `app ${index}`, 6).length, 6)
    return process.threadCpuUsage(start).user / 1_000
  }).sort((left, right) => left - right)
  // A frame is 16 ms; processors of tests may be several times slower than those of users.
  assert.ok(Number(times[4]) < 100, `${times[4]} ms`)
})
