import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { eachDatabase } from '../../src/db/testing.ts'
import { systemClock } from '../../src/session/index.ts'
import { createCatalogueRig } from '../support/catalogue-rig.ts'
import { connectGlasses, serveApp } from '../support/lifecycle-fixtures.ts'
import { type LocalCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'

type Fields = Record<string, unknown>

const email = 'ada@example.com'

async function signIn(cloud: TestCloud, of = email) {
  const token = await cloud.token(of)
  return {
    token,
    get: <Body = Fields>(path: string) => cloud.request<Body>('GET', path, { token }),
    post: <Body = Fields>(path: string, body?: unknown) => cloud.request<Body>('POST', path, { token, body }),
  }
}

/** A response body without its timestamp, which must be an ISO 8601 time. */
function withoutTimestamp({ timestamp, ...rest }: Fields): Fields {
  assert.equal(new Date(String(timestamp)).toISOString(), timestamp)
  return rest
}

const health = '/api/app-uptime/app-pkg-health-check'

const reports = ({ cloud }: LocalCloud) =>
  cloud.db.selectFrom('phone_reports').selectAll().orderBy('created_at').execute()

describe('public endpoints for phones', () => {
  test('PHN-1: the minimum phone app versions are those configured', async (t) => {
    const plain = await startCloud(t)
    const path = '/api/client/min-version'
    const instructionsOf = (await plain.request<Fields>('GET', path)).body
    const none = '0.0.0'
    assert.deepEqual(withoutTimestamp(instructionsOf), {
      success: true,
      data: { required: none, recommended: none },
    })
    const env = { PHONE_REQUIRED_VERSION: '2.1.16', PHONE_RECOMMENDED_VERSION: '2.2.7' }
    const strict = await startCloud(t, { env })
    const { data } = (await strict.request<Fields>('GET', path)).body
    assert.deepEqual(data, { required: '2.1.16', recommended: '2.2.7' })
  })

  test('PHN-3: the required and latest versions of the app SDK', async (t) => {
    const cloud = await startCloud(t)
    for (const path of ['/api/sdk/version', '/api/sdk/version/']) {
      const { required, latest } = (await cloud.request<{ data: Fields }>('GET', path)).body.data
      assert.equal(latest, manifest.devDependencies['@mentra/sdk'])
      assert.match(String(required), /^\d+\.\d+\.\d+$/)
    }
  })

  eachDatabase((database) => {
    test('PHN-4: the permissions of a published app are public', async (t) => {
      const cloud = await startCloud(t, { database })
      const permissions = [
        { type: 'MICROPHONE' as const, description: 'to listen' },
        { type: 'CALENDAR' as const, description: '' },
      ]
      await cloud.registerApp({ packageName: 'some.app', permissions })
      await cloud.registerApp({ packageName: 'draft', permissions, appStoreStatus: 'DEVELOPMENT' })
      const request = (name: string) => cloud.request<Fields>('GET', `/api/public/permissions/${name}`)
      const { permissions: shown } = (await request('some.app')).body as { permissions: Fields[] }
      assert.deepEqual(
        shown.map(({ type }) => type),
        ['MICROPHONE', 'CALENDAR'],
      )
      for (const name of ['draft', 'nothing', '%00']) {
        const { status, body } = await request(name)
        assert.deepEqual([status, body], [404, { error: 'App not found' }], name)
      }
    })
  })
})

describe('the home screen of a phone', () => {
  eachDatabase((database) => {
    test('PHN-2 PHN-10 PHN-11 PHN-12 PHN-20: the home screen lists installed apps and whether they run', async (t) => {
      const rig = await createCatalogueRig(t, database)
      const { cloud } = rig
      const { app } = await serveApp(t, rig, 'some.app', {
        logoUrl: 'https://x.example.org/logo.png',
        webviewUrl: 'https://x.example.org',
        hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED' }],
        permissions: [{ type: 'MICROPHONE', description: 'to listen' }],
      })
      await rig.register('behind', { appType: 'BACKGROUND' })
      const me = await rig.signIn(email)
      const { get, post } = await signIn(cloud)
      const apps = async () => withoutTimestamp((await get('/api/client/apps')).body)
      const system = ((await apps()).data as Fields[]).map(({ packageName }) => packageName)
      for (const name of ['some.app', 'behind']) assert.ok(!system.includes(name))
      for (const name of ['some.app', 'behind']) await post(`/api/apps/install/${name}`)
      const entry = async (name: string) =>
        ((await apps()).data as Fields[]).find(({ packageName }) => packageName === name)
      const some = {
        packageName: 'some.app',
        name: app.name,
        webviewUrl: 'https://x.example.org',
        logoUrl: 'https://x.example.org/logo.png',
        type: 'standard',
        permissions: [{ type: 'MICROPHONE', description: 'to listen' }],
        running: false,
        healthy: true,
        hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED' }],
      }
      assert.deepEqual(await entry('some.app'), some)
      const { type, webviewUrl } = (await entry('behind')) ?? {}
      assert.deepEqual([type, webviewUrl], ['background', ''])

      const count = async () => {
        const { status, uptime, sessions } = (await cloud.request<Fields>('GET', '/health')).body
        assert.equal(status, 'ok')
        assert.ok(Number(uptime) > 0)
        return (sessions as Fields).activeCount
      }
      assert.equal(await count(), 0)
      await connectGlasses(t, rig, me)
      assert.equal(await count(), 1)
      assert.equal((await post('/api/apps/some.app/start')).status, 200)
      assert.deepEqual(await entry('some.app'), { ...some, running: true })
      assert.equal((await entry('behind'))?.running, false)
      assert.deepEqual(withoutTimestamp((await post('/api/client/goodbye')).body), { success: true })
      assert.equal((await entry('some.app'))?.running, true)
      await post('/api/apps/some.app/stop')
      assert.equal((await entry('some.app'))?.running, false)
    })

    test('PHN-10: the list is empty without installed apps', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'not.installed' })
      const { body } = await (await signIn(cloud)).get('/api/client/apps')
      assert.deepEqual(withoutTimestamp(body), { success: true, data: [] })
    })

    test('PHN-16: a successful health check marks an unreachable server healthy immediately', async (t) => {
      const cloud = await startCloud(t, { database })
      // Any response counts as healthy: an app need not serve the path.
      const server = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
      t.after(() => server.close())
      await once(server, 'listening')
      const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      await cloud.registerApp({ packageName: 'back.again', publicUrl })
      await cloud.registerApp({ packageName: 'still.down', publicUrl: 'http://127.0.0.1:9' })
      const { get, post } = await signIn(cloud)
      const names = ['back.again', 'still.down']
      for (const name of names) {
        await post(`/api/apps/install/${name}`)
        await cloud.operator.apps.markUnreachable(name, Date.now())
      }
      for (const packageName of names) {
        const { body } = await cloud.request<Fields>('POST', health, { body: { packageName } })
        assert.equal(body.success, packageName === 'back.again', packageName)
      }
      const { data } = (await get<{ data: Fields[] }>('/api/client/apps')).body
      assert.deepEqual(
        data.map(({ packageName, healthy }) => [packageName, healthy]),
        [
          ['back.again', true],
          ['still.down', false],
        ],
      )
    })

    test('PHN-13 PHN-14 PHN-15: only an app known to be unreachable is unhealthy', async (t) => {
      let clockAheadMs = 0
      const clock = { ...systemClock, now: () => Date.now() + clockAheadMs }
      const cloud = await startCloud(t, { database, overrides: { clock } })
      await cloud.registerApp({ packageName: 'some.app' })
      await cloud.registerApp({ packageName: 'draft', appStoreStatus: 'DEVELOPMENT' })
      const { get, post } = await signIn(cloud)
      await post('/api/apps/install/some.app')
      const healthy = async () =>
        (await get<{ data: Fields[] }>('/api/client/apps')).body.data.map(({ healthy }) => healthy)
      const check = async (packageName: string) =>
        withoutTimestamp((await cloud.request<Fields>('POST', health, { body: { packageName } })).body)
      const up = (packageName: string) => ({ packageName, success: true, status: 200 })
      assert.deepEqual(await check('some.app'), up('some.app'))
      for (const name of ['some.app', 'draft']) await cloud.operator.apps.markUnreachable(name, Date.now())
      assert.deepEqual(await check('some.app'), { packageName: 'some.app', success: false, status: 500 })
      assert.deepEqual(await healthy(), [false])
      for (const name of ['draft', 'nothing', 'a\0b']) assert.deepEqual(await check(name), up(name))
      clockAheadMs = 6 * 60_000
      assert.deepEqual(await check('some.app'), up('some.app'))
      assert.deepEqual(await healthy(), [true])
      for (const body of [undefined, {}, { packageName: '' }, { packageName: 5 }]) {
        const { status, body: completed } = await post(health, body)
        assert.deepEqual([status, completed], [400, { error: 'Package name is required' }])
      }
    })
  })

  test('PHN-21: LiveKit tokens return 404 because audio is sent over the glasses socket', async (t) => {
    const { get } = await signIn(await startCloud(t))
    const { status, body } = await get('/api/client/livekit/token')
    assert.equal(status, 404)
    assert.match(String(body.error), /audio over the glasses socket/)
  })
})

describe('reports to the operator', () => {
  eachDatabase((database) => {
    test('PHN-30 PHN-33: feedback is stored and not logged', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'trace' } })
      const { post } = await signIn(cloud)
      const path = '/api/client/feedback'
      for (const [body, feedback] of [
        [{ feedback: '<p>Gefällt-7351 \0</p>' }, '<p>Gefällt-7351 \0</p>'],
        [{ feedback: { rating: 5 }, phoneState: { os: 'Gefällt-7351' } }, { rating: 5 }],
      ] as const) {
        const answer = await post(path, body)
        assert.equal(answer.status, 200)
        assert.deepEqual(withoutTimestamp(answer.body), { success: true, data: { feedback } })
        const stored = (await reports(cloud)).map(({ content, kind }) => [kind, JSON.parse(content)])
        assert.deepEqual(stored.at(-1), ['feedback', body])
      }
      for (const body of [undefined, {}, { feedback: '' }, { feedback: 5 }, { feedback: null }])
        assert.equal((await post(path, body)).status, 400)
      assert.equal((await post(path, { feedback: 'x'.repeat(300_000) })).status, 413)
      assert.equal((await reports(cloud)).length, 2)
      assert.ok(cloud.logged.length > 0)
      assert.ok(!JSON.stringify(cloud.logged).includes('Gefällt-7351'))
    })

    test('PHN-31 PHN-33: an error report is stored with or without a user, without its credentials', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'trace' } })
      const { token } = await signIn(cloud)
      const user = await cloud.operator.users.findByEmail(email)
      const bob = await cloud.token('bob@example.com')
      const glassesToken = await cloud.token(email, { scope: 'glasses' })
      const message = { message: 'Gebrochen-7351' }
      for (const [path, credential, fields, headers, userId] of [
        ['/api/error-report', token, { coreToken: bob }, {}, user?.id],
        ['/app/error-report', undefined, {}, {}, null],
        ['/app/error-report', 'nonsense', { coreToken: 'nonsense' }, { 'x-core-token': 'null' }, null],
        ['/api/error-report', 'null', { coreToken: glassesToken }, {}, null],
        ['/api/error-report', 'null', { coreToken: token }, {}, user?.id],
        ['/api/error-report', undefined, { core_token: token, coreToken: 5 }, {}, user?.id],
        ['/app/error-report', undefined, { token }, { 'x-core-token': 'nonsense' }, user?.id],
        ['/app/error-report', undefined, { token: bob }, { 'x-core-token': token }, user?.id],
        ['/app/error-report', undefined, {}, { 'core-token': token }, user?.id],
      ] as const) {
        const report = { ...message, ...fields }
        const { status, body } = await cloud.request('POST', path, {
          token: credential,
          body: report,
          headers: { ...headers } as Record<string, string>,
        })
        assert.deepEqual([status, body], [200, { success: true }])
        const [stored] = (await reports(cloud)).slice(-1)
        assert.deepEqual(JSON.parse(stored?.content ?? ''), { message: 'Gebrochen-7351' })
        assert.equal(stored?.user_id, userId)
        await cloud.cloud.db.deleteFrom('phone_reports').execute()
      }
      for (const invalidBody of ['null', '5', '[1]', '"text"'])
        assert.equal(
          (await cloud.request('POST', '/app/error-report', { body: invalidBody })).status,
          200,
          invalidBody,
        )
      assert.equal((await cloud.request('POST', '/app/error-report')).status, 200)
      const large = { message: 'x'.repeat(70_000) }
      assert.equal((await cloud.request('POST', '/app/error-report', { body: large })).status, 413)
      assert.ok(!JSON.stringify(cloud.logged).includes('Gebrochen-7351'))
    })

    test('PHN-32: the newest reports are kept, per user and anonymous', async (t) => {
      const cloud = await startCloud(t, { database })
      const { phoneReports } = cloud.cloud.features.phone
      await signIn(cloud)
      const user = await cloud.operator.users.findByEmail(email)
      assert.ok(user)
      for (let at = 1; at <= 25; at++) {
        await phoneReports.add(user.id, 'feedback', at, at)
        if (at <= 3) await phoneReports.add(user.id, 'error', at, at)
      }
      const kept = await phoneReports.listOf(user.id)
      const of = (kind: string) => kept.filter((report) => report.kind === kind).map(({ content }) => content)
      assert.deepEqual(
        of('feedback'),
        Array.from({ length: 20 }, (_, index) => index + 6),
      )
      assert.deepEqual(of('error'), [1, 2, 3])
      const content = '"anonymous"'
      const rows = Array.from({ length: 500 }, (_, at) => ({
        id: `anonymous-${at}`,
        user_id: null,
        kind: 'error' as const,
        content,
        created_at: at,
      }))
      await cloud.cloud.db.insertInto('phone_reports').values(rows).execute()
      await phoneReports.add(null, 'error', 'newest', 1_000)
      const all = await reports(cloud)
      const anonymous = all.filter(({ user_id }) => user_id === null)
      assert.equal(anonymous.length, 500)
      assert.ok(!anonymous.some(({ id }) => id === 'anonymous-0'))
      assert.equal(anonymous.at(-1)?.content, '"newest"')
      assert.equal(all.length, 523)
    })

    test('PHN-34 PHN-43: reports and onboarding states are exported and deleted with the account', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'some.app' })
      const { get, post } = await signIn(cloud)
      await post('/api/client/feedback', { feedback: 'good' })
      await post('/api/error-report', { message: 'bad' })
      await post('/api/onboarding/complete', { email, packageName: 'some.app' })
      const { id } = (await post('/api/account/request-export')).body
      await cloud.cloud.features.account.exports.settled()
      const { sections } = (
        await get<{ sections: Record<string, { key: string; value: Fields }[]> }>(
          `/api/account/download-export/${id}`,
        )
      ).body
      assert.deepEqual(
        sections.phoneReports
          ?.map(({ value }) => value)
          .sort((a, b) => (String(a.kind) < String(b.kind) ? -1 : 1)),
        [
          { kind: 'error', content: { message: 'bad' } },
          { kind: 'feedback', content: { feedback: 'good' } },
        ],
      )
      assert.deepEqual(
        sections.onboarding?.map(({ key }) => key),
        ['some.app'],
      )
      assert.equal((await post('/api/account/request-deletion')).status, 200)
      assert.deepEqual(await reports(cloud), [])
      assert.deepEqual(await cloud.cloud.db.selectFrom('onboardings').selectAll().execute(), [])
    })
  })
})

describe('app onboarding', () => {
  eachDatabase((database) => {
    test('PHN-40 PHN-41 PHN-42: users read and complete their own onboarding, apps that of their users', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName: 'some.app' })
      const other = await cloud.registerApp({ packageName: 'other.app' })
      await cloud.registerApp({ packageName: 'draft', appStoreStatus: 'DEVELOPMENT' })
      const ada = await signIn(cloud)
      const eve = await signIn(cloud, 'eve@example.com')
      const path = (of: string, packageName: string) =>
        `/api/onboarding/status?${new URLSearchParams({ email: of, packageName })}`
      const statusFor = async (who: typeof ada, of: string, packageName = 'some.app') => {
        const { status, body } = await who.get(path(of, packageName))
        return status === 200 ? body.hasCompletedOnboarding : status
      }
      const complete = (of: string, packageName = 'some.app') => ({ email: of, packageName })
      assert.equal(await statusFor(ada, email), false)
      for (const _ of ['once', 'and again']) {
        const done = await ada.post('/api/onboarding/complete', complete('Ada@Example.com'))
        assert.deepEqual([done.status, done.body], [200, { success: true, hasCompletedOnboarding: true }])
      }
      assert.equal(await statusFor(ada, email), true)
      assert.equal(await statusFor(ada, email, 'other.app'), false)
      assert.equal(await statusFor(eve, 'eve@example.com'), false)
      assert.equal(await statusFor(eve, email), 403)
      assert.equal(await statusFor(eve, 'nobody@example.com'), 403)
      assert.equal((await eve.post('/api/onboarding/complete', complete(email, 'other.app'))).status, 403)
      assert.equal(await statusFor(ada, email, 'other.app'), false)
      for (const name of ['draft', 'nothing', 'a\0b']) assert.equal(await statusFor(ada, email, name), 404)
      assert.equal((await cloud.request('GET', path(email, 'some.app'))).status, 401)

      const statusForApp = async ({ apiKey, packageName }: typeof app, of: string, about = packageName) => {
        const headers = { 'x-api-key': apiKey, 'x-package-name': packageName }
        const { status, body } = await cloud.request<Fields>('GET', path(of, about), { headers })
        return status === 200 ? body.hasCompletedOnboarding : status
      }
      assert.equal(await statusForApp(app, email), 403, 'not installed')
      await ada.post('/api/apps/install/some.app')
      assert.equal(await statusForApp(app, email), true)
      assert.equal(await statusForApp(app, 'nobody@example.com'), 403)
      assert.equal(await statusForApp(other, email), 403)
      assert.equal(await statusForApp(other, email, 'some.app'), 403)
      await eve.post('/api/apps/install/some.app')
      const completed = await cloud.request('POST', '/api/onboarding/complete', {
        headers: { authorization: `Bearer ${app.apiKey}` },
        body: complete('eve@example.com'),
      })
      assert.equal(completed.status, 200)
      assert.equal(await statusFor(eve, 'eve@example.com'), true)
    })

    test('PHN-44: onboarding instructions are public for published apps', async (t) => {
      const cloud = await startCloud(t, { database })
      const told = { packageName: 'some.app', onboardingInstructions: 'Look up.' }
      await cloud.registerApp(told)
      await cloud.registerApp({ packageName: 'without.text' })
      const draft = { ...told, packageName: 'draft', appStoreStatus: 'DEVELOPMENT' as const }
      await cloud.registerApp({ ...draft, developerId: email })
      const { get } = await signIn(cloud)
      const path = (name: string) => `/api/onboarding/instructions?packageName=${name}`
      const instructionsOf = async (name: string) => {
        const { status, body } = await cloud.request<Fields>('GET', path(name))
        return status === 200 ? body.instructions : status
      }
      assert.deepEqual(
        await Promise.all(['some.app', 'without.text', 'draft', 'nothing', '%00', ''].map(instructionsOf)),
        ['Look up.', '', 404, 404, 404, 400],
      )
      assert.deepEqual((await get(path('draft'))).body, { instructions: 'Look up.' })
      await cloud.registerApp({ packageName: 'some.app' })
      assert.equal(
        await instructionsOf('some.app'),
        'Look up.',
        'a manifest without instructions does not change them',
      )
    })
  })
})
