import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { Browser } from '../support/account-browser.ts'
import { type AppServer, startAppServer } from '../support/app-server.ts'
import { issueForeignToken, me, seconds } from '../support/deletion-client.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { findOccurrences } from '../support/user-data.ts'
import { waitFor } from '../support/wait-for.ts'

const password = 'correct horse battery'
const newPassword = 'staple of another kind'
const shared = 'com.example.shared'

/** What the earlier holder of an address does; `late` acts run at the same time as the claim. */
const ACTS = [
  'signIn',
  'exchange',
  'refresh',
  'glassesToken',
  'personalToken',
  'install',
  'runApp',
  'createApp',
  'createKey',
  'createOrganization',
  'moveApp',
  'settings',
  'profile',
  'secondFactor',
  'requestReset',
  'export',
  'changePassword',
  'startDevice',
  'delete',
] as const

type Act = (typeof ACTS)[number]

const CLAIMS = ['issuer', 'reset', 'confirmation', 'invitation'] as const

interface History {
  /** Whether the holder wears glasses on which an app runs. */
  readonly isWorn: boolean
  readonly acts: readonly Act[]
  readonly late: readonly Act[]
  readonly claim: (typeof CLAIMS)[number]
}

/** What the earlier holder has received. */
interface Loot {
  readonly sessions: Browser[]
  readonly coreTokens: string[]
  readonly refreshTokens: string[]
  readonly personalTokens: string[]
  readonly apiKeys: { readonly packageName: string; readonly key: string }[]
  readonly deviceCodes: string[]
  readonly glasses: SocketClient[]
}

eachDatabase((database) => {
  describe('claims', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let administrator: Browser
    let server: AppServer
    let mailServer: Awaited<ReturnType<typeof startMailServer>>
    let count = 0
    before(async () => {
      mailServer = await startMailServer(scope)
      cloud = await startCloud(scope, { database, env: { SMTP_URL: mailServer.url } })
      administrator = new Browser(cloud)
      await administrator.signUp('first@example.com', password)
      server = await startAppServer(scope, shared)
      server.apiKey = (await cloud.registerApp({ packageName: shared, publicUrl: server.url })).apiKey
    })

    async function run({ isWorn, acts, late, claim }: History): Promise<void> {
      count += 1
      // All requests come from one address, whose attempts are limited.
      await cloud.cloud.db.deleteFrom('guesses').execute()
      const email = `holder${count}@example.com`
      const own = `com.own.app${count}`
      const browser = new Browser(cloud)
      const { id } = (await browser.signUp(email, password)).body.user
      const loot: Loot = {
        sessions: [browser],
        coreTokens: [],
        refreshTokens: [],
        personalTokens: [],
        apiKeys: [],
        deviceCodes: [],
        glasses: [],
      }
      const act = (name: Act) => perform(name, { browser, email, own, loot })
      if (isWorn) {
        await act('runApp')
        await waitFor('the app runs for this holder alone', () => server.sockets.length === 1)
      }
      for (const name of acts) await act(name)
      const [claimed] = await Promise.all([claimAccount(claim, email), ...late.map(act)])
      // The holder may have ended the first link.
      const user = claimed ?? (await claimAccount(claim, email))
      await isDisconnected(loot)
      if (user === undefined) {
        assert.ok([...acts, ...late].includes('delete'), 'the owner is locked out')
        return
      }
      assert.notEqual(user, id)
      await rejects(loot)
      assert.notEqual((await new Browser(cloud).signIn(email, password)).status, 200)
      assert.notEqual((await new Browser(cloud).signIn(email, `${password}!`)).status, 200)
      const left = await findOccurrences(cloud.cloud, [id])
      assert.deepEqual(left, [], 'nothing refers to the earlier account')
      await isEmpty(email)
    }

    /** Performs an act, which may be rejected. */
    async function perform(
      act: Act,
      { browser, email, own, loot }: { browser: Browser; email: string; own: string; loot: Loot },
    ): Promise<void> {
      type Body = Record<string, string> & { data?: { apiKey?: string } }
      const post = async (path: string, body?: object, method = 'POST') =>
        (await browser.request<Body>(method, path, body)).body
      const slug = `own-${own.replaceAll('.', '-')}`
      switch (act) {
        case 'signIn': {
          const other = new Browser(cloud)
          if ((await other.signIn(email, password)).status === 200) loot.sessions.push(other)
          return
        }
        case 'exchange': {
          const { coreToken, refreshToken } = await post('/api/auth/exchange-token', {})
          if (coreToken) loot.coreTokens.push(coreToken)
          if (refreshToken) loot.refreshTokens.push(refreshToken)
          return
        }
        case 'refresh': {
          const last = loot.refreshTokens.at(-1)
          if (last === undefined) return
          const { coreToken, refreshToken } = await post('/api/auth/refresh', { refreshToken: last })
          if (coreToken) loot.coreTokens.push(coreToken)
          if (refreshToken) loot.refreshTokens.push(refreshToken)
          return
        }
        case 'glassesToken': {
          const { token } = await post('/api/auth/glasses-token')
          if (token) loot.coreTokens.push(token)
          return
        }
        case 'personalToken': {
          const { token } = await post('/api/auth/tokens', { name: 'x', scopes: ['apps:read'] })
          if (token) loot.personalTokens.push(token)
          return
        }
        case 'install':
          return void (await post(`/api/apps/install/${shared}`))
        case 'runApp': {
          const { coreToken = '' } = await post('/api/auth/exchange-token', {})
          const url = `${cloud.wsUrl}/glasses-ws`
          const glasses = await SocketClient.open(scope, url, bearer(coreToken)).catch(() => undefined)
          if (glasses !== undefined) loot.glasses.push(glasses)
          return void (await post(`/api/apps/${shared}/start`))
        }
        case 'createApp': {
          const body = { packageName: own, name: 'Own', publicUrl: 'https://own.example.org' }
          const { data } = await post('/api/console/apps', body)
          if (data?.apiKey) loot.apiKeys.push({ packageName: own, key: data.apiKey })
          return
        }
        case 'createKey': {
          const { data } = await post(`/api/console/apps/${own}/keys`)
          if (data?.apiKey) loot.apiKeys.push({ packageName: own, key: data.apiKey })
          return
        }
        case 'createOrganization':
          return void (await post('/api/console/orgs', { name: 'Own', slug }))
        case 'moveApp':
          return void (await post(`/api/console/apps/${own}/move`, { orgId: slug }))
        case 'settings':
          return void (await post('/api/account/privacy', { allowDataCollection: true }, 'PUT'))
        case 'profile':
          return void (await post('/api/account/profile', { displayName: 'Somebody' }, 'PUT'))
        case 'secondFactor':
          return void (await post('/api/auth/two-factor/enable', { password }))
        case 'requestReset':
          return void (await post('/api/auth/request-password-reset', { email }))
        case 'export':
          return void (await post('/api/account/request-export', { format: 'json' }))
        case 'changePassword':
          return void (await post('/api/auth/change-password', {
            currentPassword: password,
            newPassword: `${password}!`,
          }))
        case 'startDevice': {
          const { device_code: code, user_code: userCode } = await post('/api/auth/device', {})
          if (code) loot.deviceCodes.push(code)
          return void (userCode && (await post('/api/auth/device/approve', { userCode })))
        }
        case 'delete':
          return void (await post('/api/account/request-deletion', {}))
      }
    }

    /** Claims the account as the owner of the address. @returns the id of the new account */
    async function claimAccount(way: History['claim'], email: string): Promise<string | undefined> {
      const owner = new Browser(cloud)
      const linkOf = async (path: string, page: string) => {
        mailServer.mails.splice(0)
        await owner.request('POST', path, { email })
        await cloud.cloud.features.auth.mailer.idle()
        const mail = mailServer.mails.find(({ to, text }) => to === email && text.includes(`${page}#token=`))
        return mail === undefined ? '' : tokenIn(mail)
      }
      const finish = async () => {
        const { status, body } = await owner.signIn(email, newPassword)
        return status === 200 ? body.user?.id : undefined
      }
      switch (way) {
        case 'issuer': {
          const { status, body } = await me(cloud, issueForeignToken(email, seconds(Date.now()) + 2))
          return status === 200 ? String(body.id) : undefined
        }
        case 'reset': {
          const token = await linkOf('/api/auth/request-password-reset', '/reset-password')
          const body = { token: token || 'x', newPassword }
          await owner.request('POST', '/api/auth/reset-password', body)
          return finish()
        }
        case 'confirmation': {
          const token = await linkOf('/api/auth/send-verification-email', '/verify-email')
          await owner.request('POST', '/api/auth/verify-email', { token: token || 'x', newPassword })
          return finish()
        }
        case 'invitation': {
          const invited = await administrator.request<{ token: string }>('POST', '/api/auth/invitations', {
            email,
          })
          const { status, body } = await owner.signUp(email, newPassword, { invitation: invited.body.token })
          return status === 200 ? body.user.id : undefined
        }
      }
    }

    /** Checks that nothing that the earlier holder has received authenticates. */
    async function rejects(loot: Loot): Promise<void> {
      const statusOf = async (path: string, token: string) =>
        (await cloud.request('GET', path, { token })).status
      for (const session of loot.sessions)
        assert.equal((await session.request('GET', '/api/account/me')).status, 401)
      for (const token of loot.coreTokens)
        for (const path of ['/api/account/me', '/api/gallery']) assert.equal(await statusOf(path, token), 401)
      for (const token of loot.personalTokens) assert.equal(await statusOf('/api/console/apps', token), 401)
      for (const refreshToken of loot.refreshTokens) {
        const { status } = await cloud.request('POST', '/api/auth/refresh', { body: { refreshToken } })
        assert.equal(status, 401)
      }
      for (const { packageName, key } of loot.apiKeys) {
        const headers = { 'x-api-key': key, 'x-package-name': packageName }
        assert.equal((await cloud.request('POST', '/api/auth/app-token', { headers, body: {} })).status, 401)
      }
      for (const device_code of loot.deviceCodes)
        assert.equal(
          (await cloud.request('POST', '/api/auth/device/token', { body: { device_code } })).status,
          400,
        )
    }

    /** Checks that no socket remains. */
    async function isDisconnected({ glasses }: Loot): Promise<void> {
      for (const each of glasses) await each.closed()
      await waitFor('the sockets of the app are closed', () => server.sockets.length === 0)
    }

    /** Checks that the new account has nothing of the earlier one. */
    async function isEmpty(email: string): Promise<void> {
      const token = await cloud.token(email)
      const list = async (path: string) =>
        (await cloud.request<{ data: unknown[] }>('GET', path, { token })).body.data
      assert.deepEqual(await list('/api/console/apps'), [])
      assert.deepEqual(await list('/api/console/orgs'), [])
      assert.deepEqual(await list('/api/apps/installed'), [])
      const { body } = await cloud.request<{ exports: unknown[] }>('GET', '/api/account/exports', { token })
      assert.deepEqual(body.exports, [])
    }

    test('TRU-2: after a claim, nothing that the earlier holder made acts or authenticates', async () => {
      const acts = (maxLength: number) => fc.array(fc.constantFrom(...ACTS), { maxLength })
      const history = fc.record({
        isWorn: fc.boolean(),
        acts: acts(8),
        late: acts(4),
        claim: fc.constantFrom(...CLAIMS),
      })
      await checkProperty(fc.asyncProperty(history, run), { runs: 4 })
    })
  })
})
