import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { email, type Fields, signIn } from '../support/phone-client.ts'
import { startCloud } from '../support/test-cloud.ts'

describe('app onboarding', () => {
  eitherDatabase((database) => {
    test('PHN-40 PHN-41 PHN-42: onboarding by users and by apps', async (t) => {
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
      const published = { packageName: 'some.app', onboardingInstructions: 'Look up.' }
      await cloud.registerApp(published)
      await cloud.registerApp({ packageName: 'without.text' })
      const draft = { ...published, packageName: 'draft', appStoreStatus: 'DEVELOPMENT' as const }
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
