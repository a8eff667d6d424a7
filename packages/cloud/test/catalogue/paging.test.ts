import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import {
  assertRejected,
  type CatalogueRig,
  type Client,
  createCatalogueRig,
  names,
  nextOf,
} from '../support/catalogue-rig.ts'

/** Apps that every list shows. */
const seven = ['a', 'b-b', 'c.c', 'd_d', 'e', 'f', 'g']

async function lists(here: CatalogueRig): Promise<{ client: Client; path: string }[]> {
  const me = await here.signIn('me@example.org')
  for (const name of seven) {
    const { id } = await here.register(name, { description: 'A note' })
    await here.installs.install(me.user.id, id, Date.now())
  }
  return [
    { client: me, path: '/api/apps' },
    { client: me, path: '/apps/installed' },
    { client: here.anonymous, path: '/api/apps/public' },
    { client: here.anonymous, path: '/api/apps/available' },
    { client: here.anonymous, path: '/api/apps/search?q=note' },
  ]
}

/** Follows a list to its end. */
async function parts({ get }: Client, path: string): Promise<string[][]> {
  const found: string[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer = await get(next)
    found.push(names(answer))
    next = nextOf(answer)
    assert.ok(found.length < 20, 'a list ends')
  }
  return found
}

const joined = (path: string, query: string) => path + (path.includes('?') ? '&' : '?') + query

describe('lists in parts', () => {
  eachDatabase((database) => {
    test('CAT-10 CAT-11: a list is complete, or comes in parts that make up the same list', async (t) => {
      const here = await createCatalogueRig(t, database)
      for (const { client, path } of await lists(here)) {
        const complete = await client.get(path)
        assert.equal(nextOf(complete), undefined)
        const whole = names(complete)
        assert.deepEqual(whole, seven)
        for (const limit of [1, 2, 3, 7, 200]) {
          const found = await parts(client, joined(path, `limit=${limit}`))
          assert.deepEqual(found.flat(), whole, `${path} by ${limit}`)
          assert.ok(found.slice(0, -1).every((part) => part.length === limit))
          assert.equal(found.length, Math.max(1, Math.ceil(whole.length / limit)))
        }
      }
    })

    test('CAT-11: the next part is asked for with the parameters of the first', async (t) => {
      const { register, anonymous } = await createCatalogueRig(t, database)
      for (const name of ['a', 'b', 'c']) await register(name, { name: `${name} & note` })
      await register('d', { name: 'other' })
      const found = await parts(anonymous, '/api/apps/search?q=%26%20note&limit=1')
      assert.deepEqual(found, [['a'], ['b'], ['c']])
    })

    test('CAT-12: a wrong limit or cursor is refused', async (t) => {
      const here = await createCatalogueRig(t, database)
      const bad = ['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=abc', 'limit=', 'limit=1&limit=2']
      const cursors = ['cursor=', 'cursor=%00', 'cursor=%F0%9F%91%93', 'cursor=AA', 'cursor=a', 'cursor=_-8']
      for (const { client, path } of await lists(here)) {
        for (const query of [...bad, ...cursors]) {
          const { status, body } = await client.get(joined(path, query))
          assert.equal(status, 400, `${path} ${query}`)
          assert.equal(body.success, false)
          assert.match(String(body.message), query.startsWith('limit') ? /^limit / : /^cursor /)
        }
      }
    })

    test('CAT-12: each bound of the limit is allowed', async (t) => {
      const { anonymous } = await createCatalogueRig(t, database)
      for (const limit of [1, 200]) names(await anonymous.get(`/api/apps/public?limit=${limit}`))
      assertRejected(await anonymous.get('/api/apps/public?limit=201'), 400, 'limit must be 200 or less')
    })

    test('CAT-13: what comes and goes between two parts neither repeats nor hides another', async (t) => {
      const { register, anonymous } = await createCatalogueRig(t, database)
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
})
