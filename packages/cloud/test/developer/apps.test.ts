import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { eitherDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { revisionOf } from '../../src/features/catalogue/index.ts'
import { startAppServer } from '../support/app-server.ts'
import { createDeveloper, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

eitherDatabase((database: TestDatabase) => {
  describe('developer API: apps', () => {
    const scope = suiteScope()
    let cloud: LocalCloud

    before(async () => {
      cloud = await startCloud(scope, { database, env: { API_KEY_PACKAGES: 'trusted.app' } })
    })

    const developer = (name: string) => createDeveloper(cloud, name)
    /** Whether a user sees the app in the store. */
    const isVisible = async (packageName: string, token?: string) =>
      (await cloud.request('GET', `/api/apps/${packageName}`, { token })).status === 200

    test('DAPI-1: an app is created with a key, for the caller or an organization', async () => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      const { status, body } = await ada.call('POST', '/apps', {
        packageName,
        name: 'Captions',
        publicUrl: 'https://captions.example.org',
        permissions: [{ type: 'microphone', description: 'To hear' }],
        settings: [{ type: 'toggle', key: 'big', label: 'Big', defaultValue: false }],
        developerId: ada.email,
      })
      assert.equal(status, 200)
      const { app, apiKey } = body.data as unknown as { app: Record<string, unknown>; apiKey: string }
      assert.equal(app.developerId, ada.email)
      assert.equal(app.appStoreStatus, 'DEVELOPMENT')
      assert.deepEqual(app.permissions, [{ type: 'MICROPHONE', description: 'To hear' }])
      const headers = { 'x-api-key': apiKey, 'x-package-name': packageName }
      const transcripts = await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })
      assert.notEqual(transcripts.status, 401)
      assert.ok(!JSON.stringify((await ada.call('GET', `/apps/${packageName}`)).body).includes(apiKey))

      const { id, slug } = (await ada.call('POST', '/orgs', { name: newPackageName().replaceAll('.', ' ') }))
        .body.data
      for (const [query, over, header] of [
        [`?orgId=${id}`, {}, undefined],
        ['', { organization: slug }, undefined],
        ['', {}, String(slug)],
      ] as const) {
        const name = newPackageName()
        const created = await cloud.request<typeof body>('POST', `/api/console/apps${query}`, {
          token: ada.token,
          body: { packageName: name, name, publicUrl: 'https://a.example.org', ...over },
          ...(header !== undefined && { headers: { 'x-org-id': header } }),
        })
        const owned = (created.body.data as unknown as { app: Record<string, unknown> }).app
        assert.deepEqual([owned.orgId, owned.developerId], [id, undefined])
      }
      const eve = await developer('eve')
      const app2 = { packageName: newPackageName(), name: 'X', publicUrl: 'https://x.example.org' }
      assert.equal((await eve.call('POST', `/apps?orgId=${id}`, app2)).status, 404)
      assert.equal((await eve.call('POST', '/apps', { ...app2, organization: slug })).status, 404)
    })

    test('DAPI-2 DAPI-4: an invalid manifest names every field and creates nothing', async () => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      const valid = { packageName, name: 'X', publicUrl: 'https://x.example.org' }
      for (const [over, fields] of [
        [{ name: '', publicUrl: 'ftp://x' }, ['name', 'publicUrl']],
        [{ permissions: [{ type: 'EARS' }] }, ['permissions[0].type']],
        [{ colour: 'red' }, ['colour']],
        [{ featured: true, developerId: 'eve@example.org' }, ['featured', 'developerId']],
        [{ appType: 'SYSTEM_DASHBOARD' }, ['appType']],
        [{ appStoreStatus: 'REJECTED' }, ['appStoreStatus']],
        [{ settings: [{ type: 'toggle', label: 'Big', defaultValue: false }] }, ['settings[0].key']],
      ] as const) {
        const { status, body } = await ada.call('POST', '/apps', { ...valid, ...over })
        assert.equal(status, 400)
        const problems = body.problems ?? []
        assert.deepEqual([...new Set(problems.map(({ field }) => field))], [...fields], JSON.stringify(body))
        for (const { field, message } of problems) assert.ok(message.startsWith(field))
      }
      assert.equal((await ada.call('POST', '/apps', [])).status, 400)
      assert.equal((await ada.call('GET', `/apps/${packageName}`)).status, 404)
    })

    test('DAPI-3: package names are owned, and names with rights are reserved', async () => {
      const [ada, eve] = [await developer('ada'), await developer('eve')]
      const packageName = newPackageName()
      await ada.create(packageName)
      const body = { name: 'X', publicUrl: 'https://x.example.org' }
      for (const name of [packageName, packageName.toUpperCase()])
        assert.equal((await eve.call('POST', '/apps', { ...body, packageName: name })).status, 409)
      const raced = newPackageName()
      const race = await Promise.all(
        [ada, eve].map((one) => one.call('POST', '/apps', { ...body, packageName: raced })),
      )
      assert.deepEqual(race.map(({ status }) => status).sort(), [200, 409])
      const reserved = [
        'trusted.app',
        'Trusted.App',
        'system.augmentos.dashboard',
        'cloud.mentra.mira',
        'search',
      ]
      for (const name of reserved) {
        const rejected = await eve.call('POST', '/apps', { ...body, packageName: name })
        assert.equal(rejected.status, 400)
        assert.match(rejected.body.message ?? '', /^packageName .*reserved/)
      }
      await cloud.operator.users.setAdministrator(eve.id, true, Date.now())
      assert.equal((await eve.call('POST', '/apps', { ...body, packageName: 'trusted.app' })).status, 200)
    })

    test('DAPI-5 DAPI-7: a developer sees the own apps only', async () => {
      const [ada, bob, eve] = [await developer('ada'), await developer('bob'), await developer('eve')]
      const { id } = (await ada.call('POST', '/orgs', { name: newPackageName().replaceAll('.', ' ') })).body
        .data
      await cloud.operator.organizations.addMember(String(id), bob.id, 'member', Date.now())
      const [own, shared] = [newPackageName(), newPackageName()]
      await ada.create(own)
      await ada.call('POST', `/apps?orgId=${id}`, {
        packageName: shared,
        name: 'S',
        publicUrl: 'https://s.example.org',
      })
      const list = async (one: typeof ada, query = '') =>
        (await one.call('GET', `/apps${query}`)).body.data.map((app) => app.packageName)
      assert.deepEqual(await list(ada), [own, shared].sort())
      assert.deepEqual(await list(ada, `?orgId=${id}`), [shared])
      assert.deepEqual(await list(bob), [shared])
      assert.deepEqual(await list(eve), [])
      assert.equal((await eve.call('GET', `/apps?orgId=${id}`)).status, 404)
      const account = (await bob.call('GET', '/account')).body.data
      assert.deepEqual([account.email, account.isAdministrator], [bob.email, false])
      assert.deepEqual(
        (account.organizations as { id: string }[]).map((one) => one.id),
        [id],
      )
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'Mine' }],
        ['DELETE', '', undefined],
        ['POST', '/publish', undefined],
        ['POST', '/unpublish', undefined],
        ['POST', '/move', { orgId: null }],
        ['GET', '/keys', undefined],
        ['POST', '/keys', undefined],
      ] as const)
        for (const packageName of [own, shared, 'no.such.app'])
          assert.equal((await eve.call(method, `/apps/${packageName}${path}`, body)).status, 404)
    })

    test('DAPI-6: an update changes what is sent, also in sessions that run the app', async (t) => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      const server = await startAppServer(t, packageName)
      server.apiKey = await ada.create(packageName, {
        publicUrl: server.url,
        description: 'Old',
        webviewURL: 'https://web.example.org',
      })
      const glasses = new Glasses({ url: cloud.url, token: ada.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const start = await cloud.request('POST', `/api/apps/${packageName}/start`, { token: ada.token })
      assert.equal(start.status, 200)
      const { body } = await ada.call('PATCH', `/apps/${packageName}`, {
        name: 'New',
        webviewURL: '',
        permissions: [{ type: 'LOCATION', description: 'To know' }],
      })
      const { name, description, webviewURL, permissions, publicUrl } = body.data
      assert.deepEqual([name, description, webviewURL, publicUrl], ['New', 'Old', undefined, server.url])
      assert.deepEqual(permissions, [{ type: 'LOCATION', description: 'To know' }])
      for (const [change, field] of [
        [{ packageName: 'another.name' }, 'packageName'],
        [{ developerId: 'eve@example.org' }, 'developerId'],
        [{ organization: 'somebody' }, 'organization'],
        [{ name: 7 }, 'name'],
      ] as const) {
        const rejected = await ada.call('PATCH', `/apps/${packageName}`, change)
        assert.equal(rejected.status, 400)
        assert.equal(rejected.body.problems?.[0]?.field, field)
      }
      const same = await ada.call('PATCH', `/apps/${packageName}`, { packageName, developerId: ada.email })
      assert.equal(same.body.data.name, 'New')
    })

    test('DAPI-8: a deleted app stops for its users and frees its name', async (t) => {
      const [ada, eve] = [await developer('ada'), await developer('eve')]
      const packageName = newPackageName()
      const server = await startAppServer(t, packageName)
      server.apiKey = await ada.create(packageName, { publicUrl: server.url, appStoreStatus: 'PUBLISHED' })
      const glasses = new Glasses({ url: cloud.url, token: eve.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      await cloud.request('POST', `/api/apps/install/${packageName}`, { token: eve.token })
      const start = await cloud.request('POST', `/api/apps/${packageName}/start`, { token: eve.token })
      assert.equal(start.status, 200)
      const stopped = glasses.waitForMessage('app_stopped')
      assert.equal((await ada.call('DELETE', `/apps/${packageName}`)).status, 200)
      await stopped
      assert.equal(await isVisible(packageName, eve.token), false)
      const headers = { 'x-api-key': server.apiKey, 'x-package-name': packageName }
      assert.equal((await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })).status, 401)
      await eve.create(packageName)
    })

    test('DAPI-9: a member of the organization', async () => {
      const [ada, bob] = [await developer('ada'), await developer('bob')]
      const { id } = (await ada.call('POST', '/orgs', { name: newPackageName().replaceAll('.', ' ') })).body
        .data
      await cloud.operator.organizations.addMember(String(id), bob.id, 'member', Date.now())
      const packageName = newPackageName()
      await bob.create(packageName)
      const path = `/apps/${packageName}`
      const moved = await bob.call('POST', `${path}/move`, { orgId: id })
      assert.deepEqual([moved.body.data.orgId, moved.body.data.developerId], [id, undefined])
      assert.equal((await bob.call('POST', `${path}/move`, { orgId: null })).status, 403)
      assert.equal((await bob.call('DELETE', path)).status, 403)
      assert.equal((await bob.call('PATCH', path, { name: 'Still mine to edit' })).status, 200)
      const back = await ada.call('POST', `${path}/move`, { orgId: null })
      assert.deepEqual([back.body.data.orgId, back.body.data.developerId], [undefined, ada.email])
      assert.equal((await bob.call('GET', path)).status, 404)
      assert.equal((await ada.call('POST', `${path}/move`, { orgId: 'nobody' })).status, 404)
      assert.equal((await ada.call('POST', `${path}/move`, {})).status, 400)
      assert.equal((await ada.call('DELETE', path)).status, 200)
    })

    test('DAPI-10: the 201st app of an owner is rejected', async () => {
      const ada = await developer('ada')
      for (let index = 0; index < 200; index += 1)
        await cloud.operator.apps.register(
          {
            packageName: newPackageName(),
            name: 'A',
            publicUrl: 'https://a.example.org',
            developerId: ada.email,
          },
          1,
        )
      const body = { packageName: newPackageName(), name: 'X', publicUrl: 'https://x.example.org' }
      assert.equal((await ada.call('POST', '/apps', body)).status, 409)
    })

    test('DAPI-10: eighty apps at once', async () => {
      const ada = await developer('ada')
      for (let index = 0; index < 160; index += 1)
        await cloud.operator.apps.register(
          {
            packageName: newPackageName(),
            name: 'A',
            publicUrl: 'https://a.example.org',
            developerId: ada.email,
          },
          1,
        )
      const statuses = await Promise.all(
        Array.from({ length: 80 }, async () => {
          const body = { packageName: newPackageName(), name: 'X', publicUrl: 'https://x.example.org' }
          return (await ada.call('POST', '/apps', body)).status
        }),
      )
      assert.equal(statuses.filter((status) => status === 200).length, 40)
      assert.equal((await cloud.operator.apps.listOwnedBy({ developer: ada })).length, 200)
    })

    test('DAPI-20: publishing makes an app visible to everyone, also by its manifest', async () => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      await ada.create(packageName)
      assert.deepEqual([await isVisible(packageName), await isVisible(packageName, ada.token)], [false, true])
      const published = await ada.call('POST', `/apps/${packageName}/publish`)
      assert.deepEqual(
        [published.body.data.appStoreStatus, published.body.data.published],
        ['PUBLISHED', true],
      )
      assert.equal(await isVisible(packageName), true)
      assert.equal((await ada.call('POST', `/apps/${packageName}/publish`)).status, 200)
      await ada.call('POST', `/apps/${packageName}/unpublish`)
      assert.equal(await isVisible(packageName), false)
      await ada.call('PATCH', `/apps/${packageName}`, { appStoreStatus: 'published' })
      assert.equal(await isVisible(packageName), true)
      await ada.call('PATCH', `/apps/${packageName}`, { appStoreStatus: 'DEVELOPMENT' })
      assert.equal(await isVisible(packageName), false)
    })

    test('DAPI-30: three keys, with uses', async () => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      const first = await ada.create(packageName)
      const isValid = async (apiKey: string) => {
        const headers = { 'x-api-key': apiKey, 'x-package-name': packageName }
        return (await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })).status !== 401
      }
      const rotate = async () =>
        String((await ada.call('POST', `/apps/${packageName}/keys`)).body.data.apiKey)
      const second = await rotate()
      assert.deepEqual(await Promise.all([first, second].map(isValid)), [true, true])
      const third = await rotate()
      assert.deepEqual(await Promise.all([first, second, third].map(isValid)), [false, true, true])
      const { body } = await ada.call('GET', `/apps/${packageName}/keys`)
      assert.deepEqual(
        body.data.map(({ id }) => id),
        [third, second].map((key) => key.split('_')[1]),
      )
      for (const key of [first, second, third]) assert.ok(!JSON.stringify(body).includes(key))
      await cloud.cloud.credentialUses.flush()
      const unused = await rotate()
      const { data } = (await ada.call('GET', `/apps/${packageName}/keys`)).body
      const [newest, older] = data as unknown as Record<string, string | null>[]
      assert.deepEqual(
        [newest?.id, newest?.lastUsedAt, newest?.lastUsedIpAddress],
        [unused.split('_')[1], null, null],
      )
      assert.equal(older?.lastUsedIpAddress, '127.0.0.1')
      assert.ok(Date.now() - Date.parse(String(older?.lastUsedAt)) < 60_000)
    })

    test('DAPI-31 DAPI-32: a rotation with open sockets', async (t) => {
      const ada = await developer('ada')
      const other = await developer('bob')
      const packageName = newPackageName()
      const server = await startAppServer(t, packageName)
      const oldKey = await ada.create(packageName, { publicUrl: server.url, appStoreStatus: 'PUBLISHED' })
      const connect = async (one: typeof ada) => {
        const glasses = new Glasses({ url: cloud.url, token: one.token, reconnect: false })
        t.after(() => glasses.disconnect())
        await glasses.connect()
        const start = await cloud.request('POST', `/api/apps/${packageName}/start`, { token: one.token })
        assert.equal(start.status, 200)
        return glasses
      }
      server.apiKey = oldKey
      const before = await connect(ada)
      const { apiKey } = (await ada.call('POST', `/apps/${packageName}/keys`)).body.data
      // The sockets of a process that was started with the new key.
      server.apiKey = String(apiKey)
      const after = await connect(other)
      const [first, second] = server.sockets
      const show = async (socket: (typeof server.sockets)[number] | undefined, on: Glasses, text: string) => {
        const layout = { layoutType: 'text_wall', text }
        socket?.send(JSON.stringify({ type: 'display_event', packageName, view: 'main', layout }))
        await on.waitForDisplay(text, { timeoutMs: 20_000 })
      }
      await show(first, before, 'Shown with the old key')
      await show(second, after, 'Shown with the new key')
      const closed = new Promise<[number, string]>((resolve) =>
        first?.once('close', (code: number, reason: Buffer) => resolve([code, String(reason)])),
      )
      const revoke = (id: unknown) => ada.call('DELETE', `/apps/${packageName}/keys/${id}`)
      assert.equal((await revoke(oldKey.split('_')[1])).status, 200)
      assert.deepEqual(await closed, [1008, 'The API key was revoked'])
      await show(second, after, 'Shown without the old key')
      assert.equal((await revoke(oldKey.split('_')[1])).status, 404)
      // A key of another app is not found under this one.
      const foreign = await other.create(newPackageName())
      assert.equal((await revoke(foreign.split('_')[1])).status, 404)
    })

    test('DAPI-32: a key that another process revokes closes its sockets too', async (t) => {
      const ada = await developer('ada')
      const packageName = newPackageName()
      const server = await startAppServer(t, packageName)
      server.apiKey = await ada.create(packageName, { publicUrl: server.url })
      const glasses = new Glasses({ url: cloud.url, token: ada.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      await cloud.request('POST', `/api/apps/${packageName}/start`, { token: ada.token })
      const closed = new Promise<number>((resolve) => server.sockets[0]?.once('close', resolve))
      await cloud.operator.apiKeys.remove(String(server.apiKey.split('_')[1]))
      assert.equal(await closed, 1008)
    })
  })

  describe('developer API: review', () => {
    test('DAPI-21 DAPI-22: with APP_REVIEW=on an app is in review before it is published', async (t) => {
      const cloud = await startCloud(t, { database, env: { APP_REVIEW: 'on' } })
      const ada = await createDeveloper(cloud, 'ada')
      const packageName = newPackageName()
      await ada.create(packageName, { appStoreStatus: 'PUBLISHED' })
      const status = async () => (await ada.call('GET', `/apps/${packageName}`)).body.data
      assert.equal((await status()).appStoreStatus, 'SUBMITTED')
      assert.deepEqual(Object.keys((await status()).review as object).sort(), ['notes', 'submittedAt'])
      assert.equal((await cloud.request('GET', `/api/apps/${packageName}`)).status, 404)
      assert.equal(await approve(cloud, packageName), 'decided')
      assert.equal((await cloud.request('GET', `/api/apps/${packageName}`)).status, 200)
      await ada.call('PATCH', `/apps/${packageName}`, { description: 'Better' })
      assert.equal((await status()).appStoreStatus, 'PUBLISHED')
      await ada.call('PATCH', `/apps/${packageName}`, { permissions: [{ type: 'CAMERA', description: '' }] })
      assert.equal((await status()).appStoreStatus, 'SUBMITTED')
      await ada.call('POST', `/apps/${packageName}/unpublish`)
      assert.equal(await approve(cloud, packageName), 'not_in_review')
      assert.equal((await status()).appStoreStatus, 'DEVELOPMENT')
    })

    test('PRM-10: permissions added through /api/permissions are reviewed too', async (t) => {
      const cloud = await startCloud(t, { database, env: { APP_REVIEW: 'on' } })
      const ada = await createDeveloper(cloud, 'ada')
      const packageName = newPackageName()
      await ada.create(packageName, {
        appStoreStatus: 'PUBLISHED',
        permissions: [{ type: 'CAMERA', description: '' }, { type: 'LOCATION' }],
      })
      assert.equal(await approve(cloud, packageName), 'decided')
      const statusWith = async (...types: string[]) => {
        const response = await cloud.request<{ appStoreStatus: string }>(
          'PATCH',
          `/api/permissions/${packageName}`,
          { token: ada.token, body: { permissions: types.map((type) => ({ type })) } },
        )
        assert.equal(response.status, 200)
        return response.body.appStoreStatus
      }
      assert.equal(await statusWith('CAMERA'), 'PUBLISHED')
      assert.equal(await statusWith('CAMERA', 'MICROPHONE'), 'SUBMITTED')
      assert.equal((await cloud.request('GET', `/api/apps/${packageName}`)).status, 404)
      assert.equal(await approve(cloud, packageName), 'decided')
      assert.equal(await statusWith('CAMERA', 'MICROPHONE'), 'PUBLISHED')
    })
  })
})

/** Approves an app as it is now. */
async function approve({ cloud, operator }: LocalCloud, packageName: string) {
  const app = await operator.apps.findByPackage(packageName)
  assert.ok(app)
  const { reviews } = cloud.features.developer
  return reviews.decide(app.id, { status: 'PUBLISHED', revision: revisionOf(app), notes: '' }, Date.now())
}
