import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { assertRejected, createCatalogueRig, entries, names } from '../support/catalogue-rig.ts'

describe('searching the catalogue', () => {
  eachDatabase((database) => {
    test('CAT-23: a search needs a text', async (t) => {
      const { anonymous } = await createCatalogueRig(t, database)
      for (const query of ['', '?q=', '?q=%20%20', '?q=%00%09', '?organizationId=acme'])
        assertRejected(await anonymous.get(`/api/apps/search${query}`), 400, 'Search query is required')
      assert.equal((await anonymous.get(`/api/apps/search?q=${'x'.repeat(201)}`)).status, 400)
      assert.equal((await anonymous.get('/api/apps/search?q=a&q=b')).status, 400)
    })

    test('CAT-2 CAT-24: a search finds names and descriptions, in any case', async (t) => {
      const { register, anonymous } = await createCatalogueRig(t, database)
      const captions = await register('a', { name: 'Live Captions', description: 'What is said' })
      await register('b', { name: 'Bücher', description: 'ÜBER Captions hinaus' })
      await register('captions.by.package.name', { name: 'Other', description: 'Nothing' })
      assert.deepEqual(entries(await anonymous.get('/api/apps/search?q=live%20CAP')), [
        { _id: captions.id, packageName: 'a', name: 'Live Captions', description: 'What is said' },
      ])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=captions')), ['a', 'b'])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=über')), ['b'])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=BÜCHER')), ['b'])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=nowhere')), [])
    })

    test('CAT-24: wildcards and quotes in a search stand for themselves', async (t) => {
      const { register, anonymous } = await createCatalogueRig(t, database)
      await register('a', { name: '100% of it' })
      await register('b', { name: 'snake_case' })
      await register('c', { name: 'back\\slash' })
      await register('d', { name: "it's" })
      const found = async (text: string) =>
        names(await anonymous.get(`/api/apps/search?q=${encodeURIComponent(text)}`))
      assert.deepEqual(await found('%'), ['a'])
      assert.deepEqual(await found('_'), ['b'])
      assert.deepEqual(await found('\\'), ['c'])
      assert.deepEqual(await found("'"), ['d'])
    })

    test('CAT-7 CAT-24: a search finds what the caller may see, and nothing else', async (t) => {
      const { register, signIn, anonymous } = await createCatalogueRig(t, database)
      await register('open', { name: 'Notes' })
      await register('draft', {
        name: 'Notes II',
        appStoreStatus: 'DEVELOPMENT',
        developerId: 'maker@example.org',
      })
      const maker = await signIn('maker@example.org')
      const stranger = await signIn('stranger@example.org')
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=notes')), ['open'])
      assert.deepEqual(names(await stranger.get('/api/apps/search?q=notes')), ['open'])
      assert.deepEqual(names(await maker.get('/api/apps/search?q=notes')), ['draft', 'open'])
    })

    test('CAT-25: a search can be held to one organization', async (t) => {
      const { register, organizations, anonymous } = await createCatalogueRig(t, database)
      const acme = await organizations.ensure('acme', {}, Date.now())
      await register('theirs', { name: 'Notes', organizationId: acme.id })
      await register('nobodys', { name: 'Notes' })
      for (const id of [acme.id, 'acme'])
        assert.deepEqual(names(await anonymous.get(`/api/apps/search?q=notes&organizationId=${id}`)), [
          'theirs',
        ])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=notes&organizationId=none')), [])
      assert.deepEqual(names(await anonymous.get('/api/apps/search?q=notes&organizationId=')), [
        'nobodys',
        'theirs',
      ])
    })
  })
})
