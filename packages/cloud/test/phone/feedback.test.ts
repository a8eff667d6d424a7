import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { email, type Fields, signIn, withoutTimestamp } from '../support/phone-client.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const reports = ({ cloud }: LocalCloud) =>
  cloud.db.selectFrom('phone_reports').selectAll().orderBy('created_at').execute()

describe('reports to the operator', () => {
  eitherDatabase((database) => {
    test('PHN-30 PHN-33: feedback is stored and not logged', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'trace' } })
      const { post } = await signIn(cloud)
      const path = '/api/client/feedback'
      for (const [body, feedback] of [
        [{ feedback: '<p>Gefällt-7351 \0</p>' }, '<p>Gefällt-7351 \0</p>'],
        [{ feedback: { rating: 5 }, phoneState: { os: 'Gefällt-7351' } }, { rating: 5 }],
      ] as const) {
        const response = await post(path, body)
        assert.equal(response.status, 200)
        assert.deepEqual(withoutTimestamp(response.body), { success: true, data: { feedback } })
        const stored = (await reports(cloud)).map(({ content, kind }) => [kind, JSON.parse(content)])
        assert.deepEqual(stored.at(-1), ['feedback', body])
      }
      for (const body of [undefined, {}, { feedback: '' }, { feedback: [] }, { feedback: null }])
        assert.equal((await post(path, body)).status, 400)
      assert.equal((await post(path, { feedback: 'x'.repeat(300_000) })).status, 413)
      assert.equal((await reports(cloud)).length, 2)
      assert.ok(cloud.logged.length > 0)
      assert.ok(!JSON.stringify(cloud.logged).includes('Gefällt-7351'))
    })

    test('PHN-31 PHN-33: reports with each kind of credential, and with none', async (t) => {
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
      const kept = await phoneReports.listByUser(user.id)
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

    test('PHN-34 PHN-43: an export and a deletion with reports and onboarding states', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'some.app' })
      const { get, post } = await signIn(cloud)
      await post('/api/client/feedback', { feedback: 'good' })
      await post('/api/error-report', { message: 'bad' })
      await post('/api/onboarding/complete', { email, packageName: 'some.app' })
      const { id } = (await post('/api/account/request-export')).body
      await cloud.cloud.features.personalData.exports.idle()
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
