import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import { eitherDatabase } from '../../src/db/testing.ts'
import { startAppServer } from '../support/app-server.ts'
import { deleteAccount, issueForeignToken, me, seconds } from '../support/deletion-client.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { createUserWithData, findOccurrences, userColumns } from '../support/user-data.ts'
import { withTimeout } from '../support/wait-for.ts'

const deletedBody = { success: true, message: 'The account and all its data were deleted' }

/** The status, owner and number of keys of each app, by package name. */
async function ownership({ cloud }: LocalCloud) {
  const apps = await cloud.db.selectFrom('apps').selectAll().orderBy('package_name').execute()
  const keys = await cloud.db.selectFrom('api_keys').select('app_id').execute()
  return Object.fromEntries(
    apps.map((app) => [
      app.package_name,
      {
        status: app.app_store_status,
        developer: app.developer_id,
        keys: keys.filter(({ app_id }) => app_id === app.id).length,
      },
    ]),
  )
}

describe('account deletion', () => {
  eitherDatabase((database) => {
    test('DEL-1 DEL-2 DEL-10: deletion removes every row and blob of the user and none of another', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'trace' } })
      const eve = await createUserWithData(cloud, 'eve@example.com')
      const ada = await createUserWithData(cloud, 'ada@example.com')
      const occurrences = (user: { id: string; email: string }) =>
        findOccurrences(cloud.cloud, [user.id, user.email])
      const before = await occurrences(ada)
      const expected = (await userColumns(cloud.cloud)).filter((column) => !column.startsWith('deletions.'))
      assert.deepEqual(
        expected.filter((column) => !before.includes(column)),
        [],
        'createUserWithData() fills every column that refers to a user',
      )
      assert.equal(before.filter((place) => place.startsWith('blob exports/')).length, 2)
      assert.equal(before.filter((place) => place.startsWith('blob photos/')).length, 1)
      assert.ok(before.includes('organizations.profile'))
      const others = await occurrences(eve)
      const response = await deleteAccount(cloud, ada.token, { reason: 'I prefer paper' })
      assert.deepEqual([response.status, response.body], [200, deletedBody])
      assert.deepEqual(await occurrences(ada), [])
      assert.deepEqual(await occurrences(eve), others)
      assert.equal((await me(cloud, eve.token)).status, 200)
      const left = await cloud.cloud.db.selectFrom('deleted_users').selectAll().execute()
      assert.equal(left.length, 1)
      const log = JSON.stringify(cloud.logged)
      assert.ok(log.includes('account: deleted'))
      for (const text of ['paper', ada.email, ada.id])
        assert.equal(log.includes(text), false, `the log contains ${text}`)
    })

    test('DEL-1: the reason is an optional string of limited length', async (t) => {
      const cloud = await startCloud(t, { database })
      const token = await cloud.token('ada@example.com')
      for (const body of [{ reason: 5 }, { reason: null }, { reason: 'x'.repeat(1_001) }, []])
        assert.equal((await deleteAccount(cloud, token, body)).status, 400)
      assert.equal((await me(cloud, token)).status, 200)
      assert.equal((await deleteAccount(cloud, token)).status, 200)
    })

    test('DEL-3: tokens from before the deletion return 401; a newer token creates a new account', async (t) => {
      const cloud = await startCloud(t, { database })
      const email = 'ada@example.com'
      const own = await cloud.token(email)
      const now = Date.now()
      const old = issueForeignToken(email, seconds(now) - 10)
      const { id } = (await me(cloud, old)).body
      assert.equal((await deleteAccount(cloud, own)).status, 200)
      for (const token of [own, old]) {
        const response = await me(cloud, token)
        assert.deepEqual([response.status, response.body], [401, { error: 'Unauthorized' }])
      }
      assert.equal(await cloud.operator.users.findByEmail(email), undefined)
      const again = await me(cloud, issueForeignToken(email, seconds(Date.now()) + 2))
      assert.equal(again.status, 200)
      assert.notEqual(again.body.id, id)
      assert.equal((await me(cloud, old)).status, 401)
    })

    test('DEL-3: a token verified while the account is deleted does not recreate the account', async (t) => {
      const cloud = await startCloud(t, { database })
      const email = 'ada@example.com'
      await cloud.token(email)
      const token = issueForeignToken(email, seconds(Date.now()) - 10)
      const { users } = cloud.cloud
      const { deletions } = cloud.cloud.features.personalData
      const deletedAt = users.deletedAt.bind(users)
      users.deletedAt = async (hash) => {
        const mark = await deletedAt(hash)
        const user = await users.findByEmail(email)
        if (user) await deletions.delete(user)
        return mark
      }
      await me(cloud, token)
      assert.equal(await users.findByEmail(email), undefined)
      assert.equal((await me(cloud, token)).status, 401)
    })

    test('DEL-4: deletion closes the glasses with 4401 and stops running apps with system_stop', async (t) => {
      const cloud = await startCloud(t, { database })
      const packageName = 'com.example.app'
      const server = await startAppServer(t, packageName)
      server.behavior = 'never-connect'
      const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url })
      const token = await cloud.token('ada@example.com')
      const glasses = new Glasses({ url: cloud.url, token })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const starting = cloud.request('POST', `/api/apps/${packageName}/start`, { token })
      const { sessionId, mentraOSWebsocketUrl = '' } = await server.called('session_request')
      const app = new WebSocket(mentraOSWebsocketUrl)
      t.after(() => app.terminate())
      const received: { type: string; reason?: string }[] = []
      app.on('message', (message) => received.push(JSON.parse(String(message))))
      await once(app, 'open')
      app.send(JSON.stringify({ type: 'tpa_connection_init', sessionId, packageName, apiKey }))
      assert.equal((await starting).status, 200)
      const { id } = (await me(cloud, token)).body
      const closing = Promise.all([once(glasses, 'close'), once(app, 'close'), deleteAccount(cloud, token)])
      const [[glassesClosed], [appCode]] = await withTimeout(
        10_000,
        closing,
        'the glasses and the app were not closed',
      )
      assert.equal(glassesClosed.code, 4401)
      assert.equal(appCode, 1000)
      assert.equal(received.find(({ type }) => type === 'app_stopped')?.reason, 'system_stop')
      assert.equal(await cloud.cloud.sessions.find(String(id)), undefined)
      assert.deepEqual(await cloud.cloud.db.selectFrom('user_sessions').selectAll().execute(), [])
      await assert.rejects(new Glasses({ url: cloud.url, token, reconnect: false }).connect())
    })

    test('DEL-5 DEL-6: apps without another owner lose their owner and keys; shared ones keep theirs', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'info' } })
      const { organizations, users } = cloud.operator
      const ada = { developerId: 'ada@example.com' }
      const token = await cloud.token(ada.developerId)
      await cloud.token('eve@example.com')
      const join = async (slug: string, email: string) => {
        const user = await users.findByEmail(email)
        const organization = await organizations.ensure(
          slug,
          { profile: { contactEmail: 'Ada@example.com' } },
          1,
        )
        await organizations.addMember(organization.id, user?.id ?? '', 'admin', 1)
      }
      await join('only-ada', 'ada@example.com')
      await join('both', 'ada@example.com')
      await join('both', 'eve@example.com')
      await join('only-eve', 'eve@example.com')
      const register = (packageName: string, over: object) => cloud.registerApp({ packageName, ...over })
      await register('a.own', ada)
      await register('b.own-in-own', { ...ada, organization: 'only-ada' })
      await register('c.in-own', { organization: 'only-ada' })
      await register('d.own-in-both', { ...ada, organization: 'both' })
      await register('e.in-both', { organization: 'both' })
      await register('f.eves-in-own', { developerId: 'eve@example.com', organization: 'only-ada' })
      await register('g.own-in-eves', { ...ada, organization: 'only-eve' })
      await register('h.unowned', {})
      assert.equal((await deleteAccount(cloud, token)).status, 200)
      const kept = { status: 'PUBLISHED', keys: 1 }
      const lost = { status: 'DEVELOPMENT', keys: 0, developer: null }
      assert.deepEqual(await ownership(cloud), {
        'a.own': lost,
        'b.own-in-own': lost,
        'c.in-own': lost,
        'd.own-in-both': { ...kept, developer: null },
        'e.in-both': { ...kept, developer: null },
        'f.eves-in-own': { ...kept, developer: 'eve@example.com' },
        'g.own-in-eves': { ...kept, developer: null },
        'h.unowned': { ...kept, developer: null },
      })
      assert.equal((await cloud.request('GET', '/api/apps/a.own')).status, 404)
      assert.equal(await organizations.findBySlug('only-ada'), undefined)
      assert.deepEqual((await organizations.findBySlug('both'))?.profile, {})
      const named = cloud.logged.map(({ packageName }) => packageName).filter((name) => name !== undefined)
      assert.deepEqual(named.sort(), ['a.own', 'b.own-in-own', 'c.in-own'])
    })
    test('DEL-9: of concurrent deletion requests none fails', async (t) => {
      const cloud = await startCloud(t, { database })
      const { token, id, email } = await createUserWithData(cloud, 'ada@example.com')
      const responses = await Promise.all(Array.from({ length: 6 }, () => deleteAccount(cloud, token)))
      for (const { status, body } of responses) {
        if (status === 401) continue
        assert.deepEqual([status, body], [200, deletedBody])
      }
      assert.ok(responses.some(({ status }) => status === 200))
      assert.deepEqual(await findOccurrences(cloud.cloud, [id, email]), [])
    })
  })
})
