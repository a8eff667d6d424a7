import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const password = 'correct horse battery'

/** What the operator and other users do for an address, and what its unconfirmed user tries. */
const COMMANDS = [
  'registerApp',
  'registerOrganizationApp',
  'invite',
  'invitePerson',
  'createApp',
  'createOrganization',
  'install',
  'requestTokens',
  'readApp',
  'manageApp',
  'joinByGuess',
  'rename',
  'confirm',
] as const

type Command = (typeof COMMANDS)[number]

eachDatabase((database) => {
  describe('unconfirmed addresses', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let administrator: Browser
    let count = 0
    before(async () => {
      cloud = await startCloud(scope, { database })
      administrator = new Browser(cloud)
      await administrator.signUp('first@example.com', password)
    })

    /** Runs commands of one user, and checks after each what the address permits. */
    async function run(commands: readonly Command[]): Promise<void> {
      count += 1
      // All requests come from one address, whose attempts are limited.
      await cloud.cloud.db.deleteFrom('guesses').execute()
      const email = `user${count}@bigcorp.example`
      const packageName = `com.bigcorp.app${count}`
      const browser = new Browser(cloud)
      const { id } = (await browser.signUp(email, password)).body.user
      const own = `com.own.app${count}`
      const model = { isConfirmed: false, isRegistered: false, createdOwn: false }
      const statusOf = async (method: string, path: string, body?: unknown) =>
        (await browser.request(method, path, body)).status
      const acts: Record<Command, () => Promise<unknown>> = {
        registerApp: async () => {
          const manifest = { packageName, developerId: email, webviewURL: 'https://web.example.org' }
          await cloud.registerApp(manifest)
          model.isRegistered = true
        },
        registerOrganizationApp: () =>
          cloud.registerApp({ packageName: `${packageName}.org`, organization: `bigcorp-${count}` }),
        invite: async () => {
          const body = { name: `Inviting ${count}` }
          await administrator.request('POST', '/api/console/orgs', body)
          await administrator.request('POST', `/api/console/orgs/inviting-${count}/members`, { email })
        },
        invitePerson: () => administrator.request('POST', '/api/auth/invitations', { email }),
        createApp: async () => {
          const body = { packageName: own, name: 'Own', publicUrl: 'https://own.example.org' }
          if ((await statusOf('POST', '/api/console/apps', body)) === 200) model.createdOwn = true
        },
        createOrganization: () => browser.request('POST', '/api/console/orgs', { name: `Own ${count}` }),
        install: () => browser.request('POST', `/api/apps/install/${packageName}`),
        requestTokens: async () => {},
        readApp: () => browser.request('GET', `/api/console/apps/${packageName}`),
        manageApp: () => browser.request('POST', `/api/console/apps/${packageName}/keys`),
        joinByGuess: () => browser.request('POST', `/api/console/orgs/accept/${'A'.repeat(43)}`),
        rename: () => browser.request('PUT', '/api/account/profile', { displayName: 'The CFO' }),
        confirm: async () => {
          await cloud.operator.users.setEmailVerified(id, Date.now())
          model.isConfirmed = true
        },
      }
      for (const command of commands) {
        await acts[command]()
        const { body } = await browser.request<{ data: { packageName: string }[] }>(
          'GET',
          '/api/console/apps',
        )
        const expected = [
          ...(model.isRegistered && model.isConfirmed ? [packageName] : []),
          ...(model.createdOwn ? [own] : []),
        ]
        assert.deepEqual(
          body.data.map((app) => app.packageName),
          expected,
        )
        const app = await cloud.operator.apps.findByPackage(packageName)
        if (!model.isConfirmed) assert.equal(app?.developerName ?? null, null)
        const orgs = await browser.request<{ data: { slug: string }[] }>('GET', '/api/console/orgs')
        assert.ok(orgs.body.data.every(({ slug }) => slug.startsWith('own-')))
        if (!model.isRegistered) continue
        const allowed = model.isConfirmed ? 200 : 403
        assert.equal(await statusOf('POST', '/api/account/oauth/token', { packageName }), allowed)
        assert.equal(await statusOf('POST', '/api/auth/generate-webview-token', { packageName }), allowed)
        const path = '/api/auth/generate-webview-signed-user-token'
        assert.equal(await statusOf('POST', path, { packageName }), allowed)
      }
    }

    test('TRU-3: an unconfirmed address yields no signed token, ownership or membership', async () => {
      const commands = fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 8 })
      await checkProperty(fc.asyncProperty(commands, run), { runs: 6 })
    })
  })
})
