import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { assertRejected, createCatalogueRig, dataOf } from '../support/catalogue-rig.ts'
import { fullAppDetails, registerFullApp } from '../support/full-app.ts'

describe('catalogue details and version', () => {
  eitherDatabase((database) => {
    test('CAT-33: the version is a bare object and needs no token', async (t) => {
      const { anonymous } = await createCatalogueRig(t, { database })
      const { status, body } = await anonymous.get('/api/apps/version')
      assert.equal(status, 200)
      assert.match(String(body.version), /^\d+\.\d+\.\d+$/)
      assert.deepEqual(body, {
        version: body.version,
        protocols: ['flat', 'envelope'],
        providers: { database: database.name.toLowerCase(), speech: 'local', tts: 'local' },
      })
    })

    test('CAT-1: the paths of older phones return the same responses', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      for (const path of ['', '/public', '/search?q=a', '/available', '/installed', '/version', '/some.app'])
        assert.deepEqual(await me.get(`/apps${path}`), await me.get(`/api/apps${path}`), path)
      const install = await me.post('/apps/install/some.app')
      assert.equal(install.status, 200)
      assertRejected(await me.post('/api/apps/install/some.app'), 400, 'App is already installed')
      assertRejected(await me.post('/apps/some.app/start'), 401, 'No active session found')
      assertRejected(await me.post('/apps/some.app/stop'), 401, 'No active session found')
      assert.equal((await me.post('/apps/uninstall/some.app')).status, 200)
    })

    test('CAT-30 CAT-32 CAT-34: app details have what store pages show', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      const app = await registerFullApp(rig)
      await rig.register('system.one')
      assert.deepEqual(dataOf(await rig.anonymous.get('/api/apps/org.acme.rich-app')), {
        ...fullAppDetails(app),
        screenshots: [],
      })
      assert.equal(dataOf(await rig.anonymous.get('/api/apps/system.one')).uninstallable, false)
    })

    test('CAT-7 CAT-31: an unpublished app, for its developer and others', async (t) => {
      const { register, organizations, installs, signIn, anonymous } = await createCatalogueRig(t, {
        database,
      })
      const org = await organizations.ensure('makers', {}, Date.now())
      const draft = await register('draft', {
        appStoreStatus: 'DEVELOPMENT',
        developerId: 'maker@example.org',
        organizationId: org.id,
      })
      const [maker, member, user, stranger] = await Promise.all(
        ['maker@example.org', 'member@example.org', 'user@example.org', 'stranger@example.org'].map(signIn),
      )
      assert.ok(maker && member && user && stranger)
      await organizations.addMember(org.id, member.user.id, 'member', Date.now())
      await installs.install(user.user.id, draft.id, Date.now())
      for (const { get } of [maker, member, user])
        assert.equal(dataOf(await get('/api/apps/draft')).packageName, 'draft')
      for (const { get } of [anonymous, stranger]) {
        assertRejected(await get('/api/apps/draft'), 404, 'App not found')
        assertRejected(await get('/api/apps/missing'), 404, 'App not found')
      }
    })

    test('CAT-8: an invalid package name returns 404', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      const invalid = [
        '%00',
        'a%00b',
        'a%0Ab',
        'a%2Fb',
        '..%2F..',
        '%F0%9F%91%93',
        "'%20or%201=1",
        'x'.repeat(400),
      ]
      for (const name of [...invalid, 'SOME.APP', 'some.app%20', '%25']) {
        assertRejected(await me.get(`/api/apps/${name}`), 404, 'App not found')
        assertRejected(await me.post(`/api/apps/install/${name}`), 404, 'App not found')
        assertRejected(await me.post(`/api/apps/uninstall/${name}`), 404, 'App is not installed')
      }
    })
  })
})
