import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertRejected, createCatalogueRig, entries, names } from '../support/catalogue-rig.ts'

describe('catalogue search', () => {
  test('CAT-23: a search without text returns 400', async (t) => {
    const { anonymous } = await createCatalogueRig(t)
    for (const query of ['', '?q=', '?q=%20%20', '?q=%00%09', '?organizationId=acme'])
      assertRejected(await anonymous.get(`/api/apps/search${query}`), 400, 'Search query is required')
    assert.equal((await anonymous.get(`/api/apps/search?q=${'x'.repeat(201)}`)).status, 400)
    assert.equal((await anonymous.get('/api/apps/search?q=a&q=b')).status, 400)
  })

  test('CAT-2 CAT-24: a search matches names and descriptions, ignoring case', async (t) => {
    const { register, anonymous } = await createCatalogueRig(t)
    const captions = await register('a', { name: 'Live Captions', description: 'What is said' })
    await register('b', { name: 'Bücher', description: 'ÜBER Captions hinaus' })
    await register('captions.by.package.name', { name: 'Other', description: 'Nothing' })
    assert.deepEqual(entries(await anonymous.get('/api/apps/search?q=live%20CAP')), [
      {
        _id: captions.id,
        packageName: 'a',
        name: 'Live Captions',
        description: 'What is said',
        logoURL: '',
        appType: 'STANDARD',
        developerProfile: {},
        permissions: [],
        uninstallable: true,
        isOnline: true,
      },
    ])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=captions')), ['a', 'b'])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=über')), ['b'])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=BÜCHER')), ['b'])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=nowhere')), [])
    const written = encodeURIComponent(`b\u00ad${'ücher'.normalize('NFD')}\ufeff`)
    assert.deepEqual(names(await anonymous.get(`/api/apps/search?q=${written}`)), ['b'], 'in any form')
  })

  test('CAT-24: wildcards and quotes in a search are literal', async (t) => {
    const { register, anonymous } = await createCatalogueRig(t)
    await register('a', { name: '100% of it' })
    await register('b', { name: 'snake_case' })
    await register('c', { name: 'back\\slash' })
    await register('d', { name: "it's" })
    const search = async (text: string) =>
      names(await anonymous.get(`/api/apps/search?q=${encodeURIComponent(text)}`))
    assert.deepEqual(await search('%'), ['a'])
    assert.deepEqual(await search('_'), ['b'])
    assert.deepEqual(await search('\\'), ['c'])
    assert.deepEqual(await search("'"), ['d'])
  })

  test('CAT-7 CAT-24: a search finds only apps visible to the caller', async (t) => {
    const { register, signIn, anonymous } = await createCatalogueRig(t)
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

  test('CAT-25: a search can be limited to one organization', async (t) => {
    const { register, organizations, anonymous } = await createCatalogueRig(t)
    const acme = await organizations.ensure('acme', {}, Date.now())
    await register('theirs', { name: 'Notes', organizationId: acme.id })
    await register('independent', { name: 'Notes' })
    for (const id of [acme.id, 'acme'])
      assert.deepEqual(names(await anonymous.get(`/api/apps/search?q=notes&organizationId=${id}`)), [
        'theirs',
      ])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=notes&organizationId=none')), [])
    assert.deepEqual(names(await anonymous.get('/api/apps/search?q=notes&organizationId=')), [
      'independent',
      'theirs',
    ])
  })
})
