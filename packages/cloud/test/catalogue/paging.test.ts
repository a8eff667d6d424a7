import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertRejected,
  type CatalogueRig,
  type Client,
  createCatalogueRig,
  names,
  nextOf,
} from '../support/catalogue-rig.ts'

/** Apps contained in every list. */
const seven = ['a', 'b-b', 'c.c', 'd_d', 'e', 'f', 'g']

async function lists(rig: CatalogueRig): Promise<{ client: Client; path: string }[]> {
  const me = await rig.signIn('me@example.org')
  for (const name of seven) {
    const { id } = await rig.register(name, { description: 'A note' })
    await rig.installs.install(me.user.id, id, Date.now())
  }
  return [
    { client: me, path: '/api/apps' },
    { client: me, path: '/apps/installed' },
    { client: rig.anonymous, path: '/api/apps/public' },
    { client: rig.anonymous, path: '/api/apps/available' },
    { client: rig.anonymous, path: '/api/apps/search?q=note' },
  ]
}

/** Reads all pages of a list. */
async function readPages({ get }: Client, path: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const response = await get(next)
    pages.push(names(response))
    next = nextOf(response)
    assert.ok(pages.length < 20, 'the list does not end')
  }
  return pages
}

const withQuery = (path: string, query: string) => path + (path.includes('?') ? '&' : '?') + query

describe('paging of lists', () => {
  test('CAT-10 CAT-11: the pages of a list make up the unpaged list', async (t) => {
    const rig = await createCatalogueRig(t)
    for (const { client, path } of await lists(rig)) {
      const complete = await client.get(path)
      assert.equal(nextOf(complete), undefined)
      const whole = names(complete)
      assert.deepEqual(whole, seven)
      for (const limit of [1, 2, 3, 7, 200]) {
        const pages = await readPages(client, withQuery(path, `limit=${limit}`))
        assert.deepEqual(pages.flat(), whole, `${path} by ${limit}`)
        assert.ok(pages.slice(0, -1).every((part) => part.length === limit))
        assert.equal(pages.length, Math.max(1, Math.ceil(whole.length / limit)))
      }
    }
  })

  test('CAT-11: the link to the next page keeps the other parameters', async (t) => {
    const { register, anonymous } = await createCatalogueRig(t)
    for (const name of ['a', 'b', 'c']) await register(name, { name: `${name} & note` })
    await register('d', { name: 'other' })
    const pages = await readPages(anonymous, '/api/apps/search?q=%26%20note&limit=1')
    assert.deepEqual(pages, [['a'], ['b'], ['c']])
  })

  test('CAT-12: an invalid limit or cursor returns 400', async (t) => {
    const rig = await createCatalogueRig(t)
    const invalidLimits = [
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1.5',
      'limit=abc',
      'limit=',
      'limit=1&limit=2',
    ]
    const invalidCursors = [
      'cursor=',
      'cursor=%00',
      'cursor=%F0%9F%91%93',
      'cursor=AA',
      'cursor=a',
      'cursor=_-8',
    ]
    for (const { client, path } of await lists(rig)) {
      for (const query of [...invalidLimits, ...invalidCursors]) {
        const { status, body } = await client.get(withQuery(path, query))
        assert.equal(status, 400, `${path} ${query}`)
        assert.equal(body.success, false)
        assert.match(String(body.message), query.startsWith('limit') ? /^limit / : /^cursor /)
      }
    }
  })

  test('CAT-12: the limit may be 1 to 200', async (t) => {
    const { anonymous } = await createCatalogueRig(t)
    for (const limit of [1, 200]) names(await anonymous.get(`/api/apps/public?limit=${limit}`))
    assertRejected(await anonymous.get('/api/apps/public?limit=201'), 400, 'limit must be 200 or less')
  })

  test('CAT-13: apps added or removed between two pages cause no repeated and no missing app', async (t) => {
    const { register, anonymous } = await createCatalogueRig(t)
    for (const name of ['b', 'd', 'f', 'h']) await register(name)
    const first = await anonymous.get('/api/apps/public?limit=2')
    assert.deepEqual(names(first), ['b', 'd'])
    await register('a')
    await register('e')
    await register('d', { appStoreStatus: 'REJECTED' })
    const next = nextOf(first)
    assert.ok(next)
    assert.deepEqual(names(await anonymous.get(next)), ['e', 'f'])
  })
})
