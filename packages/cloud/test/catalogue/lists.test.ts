import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertRejected,
  createCatalogueRig,
  dataOf,
  entries,
  entryOf,
  type Fields,
  names,
  systemPackages,
  trustedPackage,
} from '../support/catalogue-rig.ts'
import { fullAppDetails, profile, registerFullApp } from '../support/full-app.ts'

const notChecked = {
  isCompatible: true,
  missingRequired: [],
  missingOptional: [],
  message: 'Compatibility could not be checked: no glasses of a known model are connected',
}

describe('catalogue lists', () => {
  test('CAT-3 CAT-4 CAT-63: every public field of an app', async (t) => {
    const rig = await createCatalogueRig(t)
    const app = await registerFullApp(rig)
    await rig.keyOf(app)
    const user = await rig.signIn('wearer@example.org')
    assert.deepEqual(entries(await user.get('/api/apps')), [
      {
        _id: app.id,
        packageName: 'org.acme.rich-app',
        name: 'Rich',
        description: 'Everything filled in',
        logoURL: 'https://acme.example/rich.png',
        appType: 'BACKGROUND',
        developerProfile: profile,
        orgName: 'Acme',
        featured: true,
        published: true,
        appStoreStatus: 'PUBLISHED',
        minHardwareVersion: '1.2.0',
        requiredHardware: ['CAMERA'],
        permissions: [{ type: 'MICROPHONE', description: 'To hear you' }, { type: 'CAMERA' }],
        webviewURL: 'https://acme.example/web',
        is_running: false,
        compatibility: notChecked,
      },
    ])
  })

  test('CAT-2 CAT-3 CAT-20: fields that are not set have defaults', async (t) => {
    const { register, signIn } = await createCatalogueRig(t)
    const app = await register('bare', { appStoreStatus: 'SUBMITTED', developerId: 'me@example.org' })
    const me = await signIn('me@example.org')
    assert.deepEqual(entries(await me.get('/api/apps')), [
      {
        _id: app.id,
        packageName: 'bare',
        name: 'bare',
        description: '',
        logoURL: '',
        appType: 'STANDARD',
        developerProfile: {},
        featured: false,
        published: false,
        appStoreStatus: 'SUBMITTED',
        minHardwareVersion: '0.0.0',
        requiredHardware: [],
        permissions: [],
        developerId: 'me@example.org',
        is_running: false,
        compatibility: notChecked,
      },
    ])
  })

  test('CAT-5: developerId is visible only to the developer and their organization', async (t) => {
    const rig = await createCatalogueRig(t)
    await registerFullApp(rig)
    const colleague = await rig.signIn('colleague@acme.example')
    const acme = await rig.organizations.ensure('acme', {}, Date.now())
    await rig.organizations.addMember(acme.id, colleague.user.id, 'member', Date.now())
    const maker = await rig.signIn('Maker@Acme.example')
    const stranger = await rig.signIn('stranger@example.org')
    const developer = async ({ get }: typeof maker) =>
      entryOf(await get('/api/apps'), 'org.acme.rich-app').developerId
    assert.equal(await developer(maker), 'maker@acme.example')
    assert.equal(await developer(colleague), 'maker@acme.example')
    assert.equal(await developer(stranger), undefined)
  })

  test('CAT-7 CAT-16: one app of each visible kind', async (t) => {
    const { register, organizations, installs, signIn } = await createCatalogueRig(t)
    const me = await signIn('me@example.org')
    const org = await organizations.ensure('mine', {}, Date.now())
    const other = await organizations.ensure('theirs', {}, Date.now())
    await organizations.addMember(org.id, me.user.id, 'admin', Date.now())
    const hidden = { appStoreStatus: 'DEVELOPMENT' as const }
    await register('published')
    await register('own', { ...hidden, developerId: 'me@example.org' })
    await register('of-my-organization', { ...hidden, organizationId: org.id })
    const installed = await register('installed', { ...hidden, developerId: 'other@example.org' })
    await register('others', { ...hidden, developerId: 'other@example.org', organizationId: other.id })
    await register('rejected', { appStoreStatus: 'REJECTED' })
    await register('system-two', hidden)
    const all = await register('all-at-once', { developerId: 'me@example.org', organizationId: org.id })
    for (const { id } of [installed, all]) await installs.install(me.user.id, id, Date.now())
    assert.deepEqual(names(await me.get('/api/apps')), [
      'all-at-once',
      'installed',
      'of-my-organization',
      'own',
      'published',
      'system-two',
    ])
  })

  test('CAT-64: developers with and without a name', async (t) => {
    const { cloud, register, signIn, anonymous } = await createCatalogueRig(t)
    const maker = await signIn('maker@example.org')
    await register('some.app', { developerId: 'maker@example.org' })
    await register('draft.app', { developerId: 'maker@example.org', appStoreStatus: 'DEVELOPMENT' })
    const developer = ({ developerProfile, orgName, developerName }: Fields) => ({
      developerProfile,
      orgName,
      developerName,
    })
    const details = async () => developer(dataOf(await anonymous.get('/api/apps/some.app')))
    const rename = async (body: Readonly<Record<string, string>>) =>
      assert.equal((await cloud.request('PUT', '/api/account/profile', { ...maker, body })).status, 200)

    const none = { developerProfile: {}, orgName: undefined, developerName: undefined }
    assert.deepEqual(await details(), none)
    await rename({ name: 'maker@example.org', displayName: 'Maker' })
    assert.deepEqual(await details(), none, 'neither the e-mail address nor its local part')
    await rename({ name: 'Charles B.' })
    const shown = {
      developerProfile: { company: 'Charles B.' },
      orgName: 'Charles B.',
      developerName: 'Charles B.',
    }
    assert.deepEqual(await details(), shown)
    for (const path of ['/api/apps/available', '/api/apps/search?q=app'])
      assert.deepEqual(developer(entryOf(await anonymous.get(path), 'some.app')), shown)
    const { developerName: _, ...listed } = shown
    for (const packageName of ['some.app', 'draft.app']) {
      const item = developer(entryOf(await maker.get('/api/apps'), packageName))
      assert.deepEqual(item, { ...listed, developerName: undefined })
    }
    const stranger = await signIn('stranger@example.org')
    for (const path of ['/api/apps', '/api/apps/available', '/api/apps/public', '/api/apps/search?q=app'])
      assert.ok(!names(await stranger.get(path)).includes('draft.app'))
  })

  test('CAT-6: lists are sorted by package name', async (t) => {
    const { register, signIn, anonymous } = await createCatalogueRig(t)
    for (const name of ['b', 'a-b', 'a.b', 'A', 'a', 'a_b']) await register(name)
    const sorted = ['A', 'a', 'a-b', 'a.b', 'a_b', 'b']
    const me = await signIn('me@example.org')
    assert.deepEqual(names(await me.get('/api/apps')), sorted)
    for (const path of ['/api/apps/public', '/api/apps/available'])
      assert.deepEqual(names(await anonymous.get(path)), sorted)
  })

  test('CAT-15: the list of a user requires a token or the key of a trusted package', async (t) => {
    const { register, keyOf, signIn, anonymous } = await createCatalogueRig(t)
    await register('some.app', { appStoreStatus: 'DEVELOPMENT', developerId: 'me@example.org' })
    const trusted = await keyOf(await register(trustedPackage))
    const other = await keyOf(await register('other.assistant'))
    await signIn('me@example.org')
    const query = (apiKey: string, packageName: string, userId: string) =>
      `/api/apps?${new URLSearchParams({ apiKey, packageName, userId })}`
    assertRejected(await anonymous.get('/api/apps'), 401, 'Unauthorized')
    assert.ok(
      names(await anonymous.get(query(trusted, trustedPackage, 'Me@example.org'))).includes('some.app'),
    )
    assert.equal((await anonymous.get(query(other, 'other.assistant', 'me@example.org'))).status, 403)
    assert.equal((await anonymous.get(query(other, trustedPackage, 'me@example.org'))).status, 401)
    assert.equal((await anonymous.get(query(trusted, trustedPackage, 'nobody@example.org'))).status, 404)
  })

  test('CAT-2 CAT-21: published and other apps, with and without a token', async (t) => {
    const rig = await createCatalogueRig(t)
    const app = await registerFullApp(rig)
    await rig.register('draft', { appStoreStatus: 'DEVELOPMENT', developerId: 'me@example.org' })
    const me = await rig.signIn('me@example.org')
    for (const { get } of [rig.anonymous, me])
      assert.deepEqual(entries(await get('/api/apps/public')), [
        {
          _id: app.id,
          packageName: 'org.acme.rich-app',
          name: 'Rich',
          description: 'Everything filled in',
          logoURL: 'https://acme.example/rich.png',
          appType: 'BACKGROUND',
          featured: true,
          published: true,
        },
      ])
  })

  test('CAT-2 CAT-26 CAT-34: published apps of two organizations', async (t) => {
    const rig = await createCatalogueRig(t)
    const app = await registerFullApp(rig)
    await rig.register('other')
    await rig.register('draft', { appStoreStatus: 'DEVELOPMENT' })
    assert.deepEqual(names(await rig.anonymous.get('/api/apps/available')), ['org.acme.rich-app', 'other'])
    for (const organizationId of [app.organization?.id, 'acme'])
      assert.deepEqual(
        entries(await rig.anonymous.get(`/api/apps/available?organizationId=${organizationId}`)),
        [fullAppDetails(app)],
      )
    assert.deepEqual(names(await rig.anonymous.get('/api/apps/available?organizationId=')), [
      'org.acme.rich-app',
      'other',
    ])
    for (const organizationId of ['nobody', '%25', "'"])
      assert.deepEqual(
        names(await rig.anonymous.get(`/api/apps/available?organizationId=${organizationId}`)),
        [],
      )
  })

  test('CAT-2 CAT-28 CAT-34: the installed list contains the apps the user installed', async (t) => {
    const rig = await createCatalogueRig(t)
    const app = await registerFullApp(rig)
    await rig.register('not-installed')
    const me = await rig.signIn('me@example.org')
    const other = await rig.signIn('other@example.org')
    await rig.installs.install(me.user.id, app.id, 1_700_000_000_000)
    assert.deepEqual(entries(await me.get('/api/apps/installed')), [
      {
        ...fullAppDetails(app),
        installedDate: new Date(1_700_000_000_000).toISOString(),
        compatibility: notChecked,
      },
    ])
    assert.deepEqual(names(await other.get('/api/apps/installed')), [])
    assertRejected(await rig.anonymous.get('/api/apps/installed'), 401, 'Unauthorized')
  })

  test('CAT-35 CAT-36: lists show the state of the server and the name of the organization', async (t) => {
    const { cloud, organizations, register, installs, signIn } = await createCatalogueRig(t)
    const plain = await organizations.ensure('plain', { name: 'Plain' }, Date.now())
    const app = await register('some.app', { name: 'Some', organizationId: plain.id })
    const me = await signIn('me@example.org')
    await installs.install(me.user.id, app.id, Date.now())
    const seen = async () => [
      entryOf(await me.get('/api/apps/search?q=some'), 'some.app'),
      entryOf(await me.get('/api/apps/installed'), 'some.app'),
      dataOf(await me.get('/api/apps/some.app')),
    ]
    const states = async () => (await seen()).map(({ isOnline, developerName }) => [isOnline, developerName])
    assert.deepEqual(await states(), Array(3).fill([true, 'Plain']))
    await cloud.operator.apps.markUnreachable('some.app', Date.now())
    assert.deepEqual(await states(), Array(3).fill([false, 'Plain']))
    await cloud.operator.apps.markReachable('some.app')
    assert.deepEqual(await states(), Array(3).fill([true, 'Plain']))
  })

  test('CAT-29: system apps count as installed since the user was created', async (t) => {
    const { register, signIn } = await createCatalogueRig(t)
    for (const name of systemPackages) await register(name, { appStoreStatus: 'DEVELOPMENT' })
    const me = await signIn('me@example.org')
    const response = await me.get('/api/apps/installed')
    assert.deepEqual(names(response), systemPackages.toSorted())
    for (const { installedDate } of entries(response))
      assert.equal(installedDate, new Date(me.user.createdAt).toISOString())
  })
})
