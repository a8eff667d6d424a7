import '../../test/dom.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const { allPages, withCursor } = await import('./client.ts')

test('a list is loaded page by page to its end', async () => {
  const pages = new Map([
    [undefined, { items: [1, 2], next: 'a' }],
    ['a', { items: [3], next: 'b' }],
    ['b', { items: [4], next: undefined }],
  ])
  const asked: unknown[] = []
  const all = await allPages(async (cursor) => {
    asked.push(withCursor(cursor))
    return pages.get(cursor) ?? assert.fail()
  })
  assert.deepEqual(all, [1, 2, 3, 4])
  assert.deepEqual(asked, [{}, { cursor: 'a' }, { cursor: 'b' }])
})
