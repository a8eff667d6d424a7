import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { connectGlasses, PhotoApp } from '../support/photo-app.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const published = 'app.published'
const draft = 'app.draft'

/** Starts a cloud with a published and an unpublished app of one developer and one organization. */
async function createOwnedApps(t: TestContext) {
  const cloud = await startCloud(t)
  const { organizations, users } = cloud.operator
  const token = async (email: string) => {
    const issued = await cloud.token(email)
    const user = await users.findByEmail(email)
    assert.ok(user)
    return { token: issued, id: user.id }
  }
  const [developer, member, stranger] = await Promise.all(
    ['dev@example.com', 'member@example.com', 'stranger@example.com'].map(token),
  )
  assert.ok(developer && member && stranger)
  const maker = await organizations.ensure('maker', { name: 'Maker' }, 1)
  const other = await organizations.ensure('other', {}, 1)
  await organizations.addMember(maker.id, member.id, 'member', 1)
  await organizations.addMember(other.id, stranger.id, 'admin', 1)
  for (const packageName of [published, draft]) {
    await cloud.operator.apps.register(
      {
        packageName,
        name: 'The app',
        description: 'What it does',
        publicUrl: 'https://secret-address.example.org',
        logoUrl: 'https://example.org/logo.png',
        webviewUrl: 'https://example.org/web',
        developerId: 'dev@example.com',
        organizationId: maker.id,
        appStoreStatus: packageName === published ? 'PUBLISHED' : 'DEVELOPMENT',
        hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }],
        permissions: [{ type: 'CAMERA', description: 'To see' }, { type: 'LOCATION' }],
      },
      1,
    )
  }
  return { cloud, developer, member, stranger, maker, other }
}

const read = (cloud: LocalCloud, packageName: string, token?: string, orgId?: string) =>
  cloud.request<Record<string, unknown>>('GET', `/api/permissions/${packageName}`, {
    token,
    ...(orgId === undefined ? {} : { headers: { 'x-org-id': orgId } }),
  })

const write = (
  cloud: LocalCloud,
  packageName: string,
  token: string | undefined,
  body: unknown,
  orgId?: string,
) =>
  cloud.request<Record<string, unknown>>('PATCH', `/api/permissions/${packageName}`, {
    token,
    body,
    ...(orgId === undefined ? {} : { headers: { 'x-org-id': orgId } }),
  })

const declared = [{ type: 'CAMERA', description: 'To see' }, { type: 'LOCATION' }]

describe('app permissions', () => {
  test('PRM-1: any user reads the permissions of a published app, only its owners those of a draft', async (t) => {
    const { cloud, developer, member, stranger, maker } = await createOwnedApps(t)
    for (const [packageName, token, orgId] of [
      [published, stranger.token],
      [draft, developer.token],
      [draft, member.token],
      [draft, member.token, maker.id],
    ] as const) {
      const { status, body } = await read(cloud, packageName, token, orgId)
      assert.deepEqual([status, body], [200, { permissions: declared }])
    }
  })

  test('PRM-2: an unpublished app, for another user and without a token', async (t) => {
    const { cloud, stranger } = await createOwnedApps(t)
    const { status, body } = await read(cloud, draft, stranger.token)
    assert.deepEqual(
      [status, body],
      [403, { error: 'Unauthorized', message: 'You may not see the permissions of this app' }],
    )
    const glasses = await cloud.token('dev@example.com', { scope: 'glasses' })
    for (const token of [undefined, 'nonsense', glasses]) {
      for (const response of [
        await read(cloud, published, token),
        await write(cloud, published, token, { permissions: [] }),
      ])
        assert.deepEqual([response.status, response.body], [401, { error: 'Unauthorized' }])
    }
  })

  test('PRM-3: an unknown app returns 404', async (t) => {
    const { cloud, developer } = await createOwnedApps(t)
    for (const unknown of ['app.none', '%00', 'a%20b', `${'x'.repeat(300)}`]) {
      for (const { status, body } of [
        await read(cloud, unknown, developer.token),
        await write(cloud, unknown, developer.token, { permissions: [] }),
      ])
        assert.deepEqual([status, body], [404, { error: 'App not found' }], unknown)
    }
  })

  test('PRM-4: X-Org-Id grants nothing to non-members and removes nothing from owners', async (t) => {
    const { cloud, developer, stranger, maker, other } = await createOwnedApps(t)
    assert.equal((await read(cloud, draft, stranger.token, maker.id)).status, 403)
    assert.equal((await write(cloud, draft, stranger.token, { permissions: [] }, maker.id)).status, 403)
    for (const orgId of [other.id, 'no such organization', '']) {
      assert.equal((await read(cloud, draft, developer.token, orgId)).status, 200)
      assert.equal((await write(cloud, draft, developer.token, { permissions: declared }, orgId)).status, 200)
    }
  })

  test('PRM-5: owners replace all permissions and get the app without its secrets', async (t) => {
    const { cloud, developer, member } = await createOwnedApps(t)
    const permissions = [{ type: 'MICROPHONE', description: 'To hear' }, { type: 'CAMERA' }]
    const response = await write(cloud, draft, developer.token, { permissions })
    assert.equal(response.status, 200)
    const app = await cloud.operator.apps.findByPackage(draft)
    assert.deepEqual(response.body, {
      _id: app?.id,
      packageName: draft,
      name: 'The app',
      description: 'What it does',
      logoURL: 'https://example.org/logo.png',
      webviewURL: 'https://example.org/web',
      appType: 'STANDARD',
      featured: false,
      published: false,
      appStoreStatus: 'DEVELOPMENT',
      minHardwareVersion: '0.0.0',
      requiredHardware: ['CAMERA'],
      uninstallable: true,
      isOnline: true,
      developerName: 'Maker',
      developerId: 'dev@example.com',
      developerProfile: {},
      orgName: 'Maker',
      permissions,
    })
    assert.deepEqual((await read(cloud, draft, member.token)).body, { permissions })
    assert.equal((await write(cloud, draft, member.token, { permissions: [] })).status, 200)
    assert.deepEqual((await read(cloud, draft, developer.token)).body, { permissions: [] })
  })

  test('PRM-11: several permissions of one type', async (t) => {
    const { cloud, developer } = await createOwnedApps(t)
    const permissions = [
      { type: 'CAMERA', description: 'To see' },
      { type: 'NOTIFICATIONS', description: 'Legacy' },
      { type: 'CAMERA', description: 'To read' },
      { type: 'READ_NOTIFICATIONS' },
      { type: 'CAMERA', description: ' ' },
      { type: 'CAMERA' },
    ]
    const merged = [
      { type: 'CAMERA', description: 'To read' },
      { type: 'NOTIFICATIONS', description: 'Legacy' },
      { type: 'READ_NOTIFICATIONS' },
    ]
    const { status, body } = await write(cloud, draft, developer.token, { permissions })
    assert.equal(status, 200)
    assert.deepEqual((body as { permissions?: unknown }).permissions, merged)
    assert.deepEqual((await read(cloud, draft, developer.token)).body, { permissions: merged })
  })

  test('PRM-6: a user who may only read the permissions gets 403 on a change', async (t) => {
    const { cloud, stranger } = await createOwnedApps(t)
    const response = await write(cloud, published, stranger.token, { permissions: [] })
    assert.deepEqual(
      [response.status, response.body],
      [403, { error: 'Unauthorized', message: 'You may not change the permissions of this app' }],
    )
    assert.deepEqual((await read(cloud, published, stranger.token)).body, { permissions: declared })
  })

  test('PRM-7: each invalid body has its own message and changes nothing', async (t) => {
    const { cloud, developer } = await createOwnedApps(t)
    const camera = { type: 'CAMERA' }
    const notArray = 'Permissions must be an array'
    for (const [body, error] of [
      [{}, notArray],
      [[], notArray],
      ['"text"', notArray],
      [{ permissions: null }, notArray],
      [{ permissions: { 0: camera, length: 1 } }, notArray],
      [{ permissions: [camera, { type: 'TELEPATHY' }] }, 'Invalid permission type: TELEPATHY'],
      [{ permissions: [{ type: 'camera' }] }, 'Invalid permission type: camera'],
      [{ permissions: [{ type: 7 }] }, 'Invalid permission type: 7'],
      [{ permissions: [{}] }, 'Invalid permission type: undefined'],
      [{ permissions: [null] }, 'Invalid permission type: undefined'],
      [{ permissions: [{ type: 'x'.repeat(5_000) }] }, `Invalid permission type: ${'x'.repeat(100)}`],
      [{ permissions: Array(65).fill(camera) }, 'permissions must have at most 64 entries'],
      [
        { permissions: [{ type: 'CAMERA', description: 'x'.repeat(501) }] },
        'permissions[0].description must have at most 500 characters',
      ],
      [
        { permissions: [camera, { type: 'LOCATION', description: 5 }] },
        'permissions[1].description must be a string',
      ],
      [
        { permissions: [{ type: 'CAMERA', description: 'a\u0000b' }] },
        'permissions[0].description must not hold control characters',
      ],
    ] as const) {
      const response = await write(cloud, draft, developer.token, body)
      assert.deepEqual([response.status, response.body], [400, { error }], JSON.stringify(body).slice(0, 80))
    }
    assert.equal((await write(cloud, draft, developer.token, '{"permissions":')).status, 400)
    assert.deepEqual((await read(cloud, draft, developer.token)).body, { permissions: declared })
  })

  test('PRM-8: unknown fields of a permission are dropped', async (t) => {
    const { cloud, developer } = await createOwnedApps(t)
    const description = `${'x'.repeat(498)}\n!`
    const permissions = [{ type: 'CAMERA', description, _id: 'of another cloud' }]
    const { status, body } = await write(cloud, draft, developer.token, { permissions })
    assert.deepEqual([status, body.permissions], [200, [{ type: 'CAMERA', description }]])
  })

  test('PRM-9: concurrent replacements do not mix', async (t) => {
    const { cloud, developer } = await createOwnedApps(t)
    const lists = [
      [{ type: 'CAMERA' }, { type: 'LOCATION' }],
      [{ type: 'MICROPHONE' }, { type: 'CALENDAR' }],
      [],
    ]
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        write(cloud, draft, developer.token, { permissions: lists[n % 3] }),
      ),
    )
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    const { body } = await read(cloud, draft, developer.token)
    assert.ok(lists.some((list) => JSON.stringify(list) === JSON.stringify(body.permissions)))
  })

  test('PRM-20: changed and accepted permissions apply to a running app immediately', async (t) => {
    const cloud = await startCloud(t)
    const token = await cloud.token('wearer@example.com')
    await connectGlasses(t, cloud, token)
    const app = await PhotoApp.run(t, cloud, token, 'app.photos')
    const owner = await cloud.token('owner@example.com')
    await cloud.operator.apps.register(
      { packageName: 'app.photos', name: 'A', publicUrl: app.url, developerId: 'owner@example.com' },
      1,
    )
    app.requestPhoto('r1')
    assert.ok((await app.waitForDelivery('r1')).photo)
    assert.equal((await write(cloud, 'app.photos', owner, { permissions: [] })).status, 200)
    app.requestPhoto('r2')
    assert.equal((await app.waitForDelivery('r2')).fields.errorCode, 'PERMISSION_DENIED')
    assert.equal((await write(cloud, 'app.photos', owner, { permissions: [{ type: 'ALL' }] })).status, 200)
    const accept = { token, body: { permissions: ['ALL'] } }
    const path = '/api/apps/app.photos/permissions/accept'
    assert.equal((await cloud.request('POST', path, accept)).status, 200)
    app.requestPhoto('r3')
    assert.ok((await app.waitForDelivery('r3')).photo)
  })
})
