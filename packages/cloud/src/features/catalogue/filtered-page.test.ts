import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from '../../db/index.ts'
import { filteredPage } from './filtered-page.ts'

const all = Array.from({ length: 1_000 }, (_, number) => ({
  packageName: `app.${String(number).padStart(4, '0')}`,
  number,
}))

/** Reads parts as a store does. */
async function fetch({ limit = all.length, after = '' }: Page) {
  return all.filter(({ packageName }) => packageName > after).slice(0, limit)
}

describe('a page of a filtered list', () => {
  test('CAT-11: is filled to its limit, however much is left out before and between', async () => {
    for (const every of [1, 7, 250, 999]) {
      const wanted = all.filter(({ number }) => number % every === every - 1)
      for (const limit of [1, 3, 200]) {
        for (const after of [undefined, 'app.0000', 'app.0500', 'app.0998', 'app.0999']) {
          const found = await filteredPage(
            fetch,
            { limit, after },
            ({ number }) => number % every === every - 1,
          )
          const expected = wanted.filter(({ packageName }) => packageName > (after ?? '')).slice(0, limit)
          assert.deepEqual(found, expected, `every ${every}. after ${after}, at most ${limit}`)
        }
      }
    }
  })

  test('CAT-10: without a limit is all that follows', async () => {
    const found = await filteredPage(fetch, {}, ({ number }) => number % 2 === 0)
    assert.equal(found.length, 500)
  })
})
