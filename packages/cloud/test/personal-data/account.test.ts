import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { eitherDatabase } from '../../src/db/testing.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

const defaults = { shareUsageData: false, receiveNotifications: true, allowDataCollection: false }

type Fields = Record<string, unknown>

/** Signs a user in; returns calls to their profile and privacy settings. */
async function signIn(cloud: TestCloud, email = 'ada@example.com') {
  const token = await cloud.token(email)
  const call = (method: string, path: string) => (body?: unknown) =>
    cloud.request<Fields>(method, `/api/account/${path}`, { token, body })
  return {
    me: call('GET', 'me'),
    putProfile: call('PUT', 'profile'),
    privacy: call('GET', 'privacy'),
    putPrivacy: call('PUT', 'privacy'),
  }
}

describe('account', () => {
  eitherDatabase((database) => {
    test('ACC-1: a new user has an opaque id, the lower-cased e-mail and empty profile fields', async (t) => {
      const before = Date.now()
      const cloud = await startCloud(t, { database })
      const { me } = await signIn(cloud, 'Ada@Example.com')
      const { status, body } = await me()
      const { id, createdAt, ...rest } = body
      assert.equal(status, 200)
      assert.deepEqual(rest, {
        email: 'ada@example.com',
        name: '',
        profile: { displayName: '', phoneNumber: '' },
      })
      assert.equal(id, (await cloud.operator.users.findByEmail('ada@example.com'))?.id)
      assert.ok(String(createdAt) >= new Date(before).toISOString())
      assert.equal(new Date(String(createdAt)).toISOString(), createdAt)
    })

    test('ACC-2: a profile update is merged, and the response is the stored profile', async (t) => {
      const { me, putProfile } = await signIn(await startCloud(t, { database }))
      const first = await putProfile({
        name: 'Ada',
        displayName: 'ada👓',
        phoneNumber: '+44 1',
        city: 'Londön\n',
      })
      assert.equal(first.status, 200)
      const { id, ...rest } = first.body
      assert.deepEqual(rest, {
        email: 'ada@example.com',
        name: 'Ada',
        profile: { displayName: 'ada👓', phoneNumber: '+44 1', city: 'Londön\n' },
      })
      const second = await putProfile({ phoneNumber: '', country: 'UK', email: 'eve@example.com' })
      assert.equal(second.body.email, 'ada@example.com', 'a profile update does not change the e-mail')
      assert.equal(second.body.name, 'Ada')
      const profile = {
        displayName: 'ada👓',
        phoneNumber: '',
        city: 'Londön\n',
        country: 'UK',
        email: 'eve@example.com',
      }
      assert.deepEqual(second.body.profile, profile)
      const { body } = await me()
      assert.deepEqual([body.id, body.name, body.profile], [id, 'Ada', profile])
      assert.deepEqual((await putProfile({})).body.profile, profile)
    })

    test('ACC-3 ACC-5 ACC-6: an invalid profile update returns 400 and changes nothing', async (t) => {
      const { me, putProfile } = await signIn(await startCloud(t, { database }))
      await putProfile({ name: 'Ada', displayName: 'ada', city: 'London' })
      const before = (await me()).body
      const long = 'x'.repeat(1_001)
      const invalid: unknown[] = [
        { city: 5 },
        { city: null },
        { city: ['x'] },
        { profile: { city: 'Rome' } },
        { name: 5 },
        { name: null },
        { name: long },
        { name: 'A\0da' },
        { displayName: true },
        { city: long },
        { [long]: 'x' },
        { '': 'x' },
        { constructor: 'x' },
        { prototype: 'x' },
        '{"__proto__": "x"}',
        '{"__proto__": {"displayName": "x"}}',
        [],
        '"text"',
        '{',
      ]
      for (const body of invalid) {
        const update =
          typeof body === 'object' && !Array.isArray(body) ? { displayName: 'new', ...body } : body
        const response = await putProfile(update)
        assert.equal(response.status, 400, JSON.stringify(body))
        assert.deepEqual(Object.keys(response.body), ['error'])
        assert.equal(typeof response.body.error, 'string')
      }
      assert.deepEqual((await me()).body, before)
      const largest = await putProfile({ ['k'.repeat(100)]: 'x'.repeat(1_000), name: 'n'.repeat(1_000) })
      assert.equal(largest.status, 200)
    })

    test('ACC-4: a profile has at most 50 additional fields, concurrent updates included', async (t) => {
      const { me, putProfile } = await signIn(await startCloud(t, { database }))
      const many = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`f${n}`, 'x']))
      assert.equal((await putProfile({ displayName: 'a', phoneNumber: '1', ...many })).status, 200)
      const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => putProfile({ [`g${n}`]: 'x' })))
      const statuses = responses.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 400, 400, 400])
      assert.equal(Object.keys((await me()).body.profile as object).length, 52)
      assert.equal((await putProfile({ f0: 'changed', displayName: 'b' })).status, 200)
    })

    test('ACC-7: a user sees only their own profile and settings', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const eve = await signIn(cloud, 'eve@example.com')
      await ada.putProfile({ name: 'Ada', secret: 'x' })
      await ada.putPrivacy({ shareUsageData: true })
      assert.deepEqual((await eve.me()).body.profile, { displayName: '', phoneNumber: '' })
      assert.deepEqual((await eve.privacy()).body, defaults)
    })

    test('ACC-7: every account endpoint returns 401 without a valid core token', async (t) => {
      const cloud = await startCloud(t, { database })
      const endpoints = [
        ['GET', 'me'],
        ['PUT', 'profile'],
        ['GET', 'privacy'],
        ['PUT', 'privacy'],
        ['POST', 'request-deletion'],
        ['POST', 'request-export'],
        ['GET', 'export-status?id=x'],
        ['GET', 'download-export/x'],
        ['GET', 'oauth/app/x'],
        ['POST', 'oauth/token'],
      ] as const
      const glasses = await cloud.token('ada@example.com', { scope: 'glasses' })
      for (const [method, path] of endpoints) {
        for (const token of [undefined, 'x.y.z', glasses]) {
          const { status, body } = await cloud.request(method, `/api/account/${path}`, { token })
          assert.deepEqual([status, body], [401, { error: 'Unauthorized' }], path)
        }
      }
    })

    test('ACC-10 ACC-11: privacy settings have defaults and are changed one by one', async (t) => {
      const { privacy, putPrivacy } = await signIn(await startCloud(t, { database }))
      assert.deepEqual((await privacy()).body, defaults)
      assert.deepEqual((await putPrivacy({})).body, defaults)
      const changed = { ...defaults, shareUsageData: true }
      assert.deepEqual((await putPrivacy({ shareUsageData: true })).body, changed)
      assert.deepEqual((await privacy()).body, changed)
      const all = { shareUsageData: false, receiveNotifications: false, allowDataCollection: true }
      assert.deepEqual((await putPrivacy(all)).body, all)
      assert.deepEqual((await privacy()).body, all)
    })

    test('ACC-12: an invalid privacy update returns 400 and changes nothing', async (t) => {
      const { privacy, putPrivacy } = await signIn(await startCloud(t, { database }))
      const invalid = [
        { shareUsageData: 'true' },
        { shareUsageData: 1 },
        { shareUsageData: null },
        { shareUsageData: true, other: true },
        [],
        'true',
      ]
      for (const body of invalid) {
        const response = await putPrivacy(body)
        assert.equal(response.status, 400, JSON.stringify(body))
        assert.deepEqual(Object.keys(response.body), ['error'])
      }
      assert.deepEqual((await privacy()).body, defaults)
    })

    test('ACC-13: concurrent privacy updates do not overwrite each other', async (t) => {
      const { privacy, putPrivacy } = await signIn(await startCloud(t, { database }))
      await Promise.all([
        putPrivacy({ shareUsageData: true }),
        putPrivacy({ receiveNotifications: false }),
        putPrivacy({ allowDataCollection: true }),
      ])
      assert.deepEqual((await privacy()).body, {
        shareUsageData: true,
        receiveNotifications: false,
        allowDataCollection: true,
      })
    })

    test('ACC-8: each endpoint without a database', async (t) => {
      const { cloud, ...local } = await startCloud(t, { database })
      const { putProfile, privacy, putPrivacy } = await signIn(local)
      const app = await local.registerApp({ packageName: 'web', webviewURL: 'https://web.example.org' })
      const token = await local.token('ada@example.com')
      // Not used before, so that its user is not cached and has to be read from the database.
      const unused = await local.token('ada@example.com')
      const post = (path: string, body = {}) => local.request('POST', `/api/account/${path}`, { token, body })
      for (const table of ['privacy_settings', 'deletions', 'exports', 'oauth_keys'])
        await sql`drop table ${sql.table(table)}`.execute(cloud.db)
      const assertFailed = async (response: Promise<{ status: number; body: unknown }>, error: string) => {
        const { status, body } = await response
        assert.deepEqual([status, body], [500, { error }])
      }
      await assertFailed(privacy(), 'Internal server error')
      await assertFailed(putPrivacy({ shareUsageData: true }), 'Failed to update privacy settings')
      await assertFailed(post('request-deletion'), 'Failed to delete user account')
      await assertFailed(post('request-export'), 'Internal server error')
      await assertFailed(post('oauth/token', app), 'Failed to generate authentication token')
      await sql`alter table users rename column profile to lost`.execute(cloud.db)
      await assertFailed(
        local.request('GET', '/api/account/me', { token: unused }),
        'Failed to fetch user data',
      )
      await assertFailed(putProfile({ name: 'x', city: 'x' }), 'Failed to update user profile')
    })
  })
})
