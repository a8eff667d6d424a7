import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

interface Issued {
  readonly coreToken: string
  readonly refreshToken: string
  readonly expiresIn: number
  readonly error?: string
}

const password = 'correct horse battery'

eitherDatabase((database) => {
  describe('logins', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    /** Another node with the same database. */
    let node: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database })
      const { DATABASE_URL, DATA_DIR } = cloud.env
      node = await startCloud(scope, { env: { DATA_DIR, ...(DATABASE_URL && { DATABASE_URL }) } })
    })

    const exchange = (body: object, on = cloud) =>
      on.request<Issued>('POST', '/api/auth/exchange-token', { body })
    const refresh = (refreshToken: string) =>
      cloud.request<Issued>('POST', '/api/auth/refresh', { body: { refreshToken } })
    const statusOf = async (token: string, on = cloud) =>
      (await on.request('GET', '/api/account/me', { token })).status
    /** Signs up and exchanges the session. */
    const signUp = async (email: string) => {
      const browser = new Browser(cloud)
      const { token } = (await browser.signUp(email, password)).body
      const { status, body } = await exchange({ sessionToken: token })
      assert.equal(status, 200)
      return { browser, sessionToken: String(token), ...body }
    }

    test('AUTH-60: a session is exchanged for a core token and a refresh token', async () => {
      const { browser, coreToken, expiresIn, sessionToken } = await signUp('ada@example.com')
      assert.deepEqual([expiresIn, await statusOf(coreToken)], [86_400, 200])
      const byCookie = await browser.request<Issued>('POST', '/api/auth/exchange-token', {})
      assert.equal(byCookie.status, 200)
      assert.equal(await statusOf(byCookie.body.coreToken), 200)
      browser.headers = { origin: 'https://evil.example' }
      assert.equal((await browser.request('POST', '/api/auth/exchange-token', {})).status, 401)
      for (const invalid of ['nonsense', sessionToken.slice(1), `${sessionToken}x`])
        assert.equal((await exchange({ sessionToken: invalid })).status, 401)
      assert.equal((await exchange({})).status, 400)
    })

    test('AUTH-61: a refresh token is replaced at each use', async () => {
      const first = await signUp('rotate@example.com')
      const second = (await refresh(first.refreshToken)).body
      assert.notEqual(second.refreshToken, first.refreshToken)
      assert.equal(await statusOf(second.coreToken), 200)
      const third = (await refresh(second.refreshToken)).body
      assert.equal((await refresh(third.refreshToken)).status, 200)
      const rows = await cloud.cloud.db.selectFrom('logins').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(third.refreshToken.slice(-43)))
      for (const invalid of ['nonsense', `${third.refreshToken.slice(0, -43)}${'A'.repeat(42)}`])
        assert.equal((await refresh(invalid)).status, 401)
    })

    test('AUTH-62: a used refresh token ends the login', async () => {
      const first = await signUp('stolen@example.com')
      const second = (await refresh(first.refreshToken)).body
      const third = (await refresh(second.refreshToken)).body
      assert.equal((await refresh(first.refreshToken)).status, 401)
      for (const { refreshToken, coreToken } of [second, third]) {
        assert.equal((await refresh(refreshToken)).status, 401)
        assert.deepEqual([await statusOf(coreToken), await statusOf(coreToken, node)], [401, 401])
      }
      assert.equal(await statusOf(first.coreToken), 401)
      assert.equal((await first.browser.request('GET', '/api/account/me')).status, 401)
    })

    test('AUTH-62: a forged refresh token does not end the login', async () => {
      const first = await signUp('forged@example.com')
      const second = (await refresh(first.refreshToken)).body
      const forged = `${first.refreshToken.slice(0, -43)}${'A'.repeat(43)}`
      assert.equal((await refresh(forged)).status, 401)
      assert.equal((await refresh(first.refreshToken.slice(0, -43).padEnd(84, 'B'))).status, 401)
      assert.equal(await statusOf(second.coreToken), 200)
      assert.equal((await refresh(second.refreshToken)).status, 200)
    })

    test('AUTH-63: a refresh whose response was lost, and two at once on different nodes', async () => {
      const first = await signUp('retry@example.com')
      const { db } = cloud.cloud
      const passDays = (days: number) =>
        db
          .updateTable('logins')
          .set((e) => ({ updated_at: e('updated_at', '-', days * 86_400_000) }))
          .set((e) => ({ expires_at: e('expires_at', '-', days * 86_400_000) }))
          .execute()
      const attempts: string[] = []
      for (let n = 0; n < 3; n += 1) {
        const { status, body } = await refresh(first.refreshToken)
        assert.equal(status, 200)
        attempts.push(body.refreshToken)
        await passDays(20)
      }
      const at = (on: LocalCloud) =>
        on.request<Issued>('POST', '/api/auth/refresh', { body: { refreshToken: first.refreshToken } })
      for (const { status, body } of await Promise.all([at(cloud), at(node)])) {
        assert.equal(status, 200)
        attempts.push(body.refreshToken)
        assert.equal(await statusOf(body.coreToken, node), 200)
      }
      assert.equal(new Set(attempts).size, 1)
      const [second = ''] = attempts
      const third = await refresh(second)
      assert.equal(third.status, 200)
      assert.equal((await refresh(second)).body.refreshToken, third.body.refreshToken)
      assert.equal((await refresh(first.refreshToken)).status, 401, 'the successor was used')
      assert.equal((await refresh(third.body.refreshToken)).status, 401, 'the login ended')
      assert.equal(await statusOf(third.body.coreToken, node), 401)
    })

    test('AUTH-64: an expired login is rejected', async () => {
      const { coreToken, refreshToken, browser } = await signUp('expired@example.com')
      const user = await cloud.operator.users.findByEmail('expired@example.com')
      const { db } = cloud.cloud
      const update = db.updateTable('logins').set({ expires_at: Date.now() - 1 })
      await update.where('user_id', '=', String(user?.id)).execute()
      assert.deepEqual([(await refresh(refreshToken)).status, await statusOf(coreToken)], [401, 401])
      assert.equal((await browser.request('GET', '/api/account/me')).status, 401)
    })

    test('AUTH-65: logging out ends one login, on every node, and closes its sockets only', async (t) => {
      const phone = await signUp('two@example.com')
      const other = new Browser(cloud)
      const { token } = (await other.signIn('two@example.com', password)).body
      const second = (await exchange({ sessionToken: token })).body
      const { body: glassesToken } = await cloud.request<{ token: string }>(
        'POST',
        '/api/auth/glasses-token',
        {
          token: phone.coreToken,
        },
      )
      const refreshed = await cloud.request<Issued>('POST', '/api/auth/refresh', { token: phone.coreToken })
      const glasses = new Glasses({ url: node.url, token: glassesToken.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      assert.equal(await statusOf(phone.coreToken, node), 200)

      const closed = once(glasses, 'close', { signal: AbortSignal.timeout(20_000) })
      const loggedOut = await cloud.request<object>('POST', '/api/auth/logout', { token: phone.coreToken })
      assert.deepEqual([loggedOut.status, loggedOut.body], [200, { success: true, message: 'Logged out' }])
      assert.equal((await closed)[0].code, 4401)
      for (const on of [cloud, node])
        for (const revoked of [phone.coreToken, refreshed.body.coreToken])
          assert.equal(await statusOf(revoked, on), 401)
      assert.equal((await refresh(phone.refreshToken)).status, 401)
      const gallery = await node.request('GET', '/api/gallery', { token: glassesToken.token })
      assert.equal(gallery.status, 401)
      assert.deepEqual([await statusOf(second.coreToken), await statusOf(second.coreToken, node)], [200, 200])

      const again = new Glasses({ url: node.url, token: second.coreToken, reconnect: false })
      t.after(() => again.disconnect())
      await again.connect()
    })

    test('AUTH-66: logging out everywhere ends all logins, tokens and sockets, on every node', async (t) => {
      const phone = await signUp('all@example.com')
      const other = new Browser(cloud)
      const { token } = (await other.signIn('all@example.com', password)).body
      const second = (await exchange({ sessionToken: token })).body
      const personal = await cloud.request<{ token: string }>('POST', '/api/auth/tokens', {
        token: second.coreToken,
        body: { name: 'ci', scopes: ['account'] },
      })
      const glasses = new Glasses({ url: node.url, token: second.coreToken, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const closed = once(glasses, 'close', { signal: AbortSignal.timeout(20_000) })
      const path = '/api/auth/logout-everywhere'
      assert.equal((await cloud.request('POST', path, { token: phone.coreToken })).status, 200)
      for (const on of [node, cloud])
        for (const revoked of [phone.coreToken, second.coreToken, personal.body.token])
          assert.equal(await statusOf(revoked, on), 401)
      for (const { refreshToken } of [phone, second]) assert.equal((await refresh(refreshToken)).status, 401)
      for (const browser of [phone.browser, other]) assert.equal(await browser.session(), null)
      assert.equal((await closed)[0].code, 4401)
      assert.equal((await other.signIn('all@example.com', password)).status, 200)
      assert.equal((await other.request('GET', '/api/account/me')).status, 200)
    })

    test('AUTH-67: logins are listed and ended one at a time', async () => {
      const { browser, coreToken } = await signUp('lists@example.com')
      const other = new Browser(cloud, { origin: cloud.url, 'user-agent': 'Elsewhere/1.0' })
      await other.signIn('lists@example.com', password)
      const list = async () => {
        const { body } = await browser.request<{
          logins: { id: string; isCurrent: boolean; userAgent: string; ipAddress: string }[]
        }>('GET', '/api/auth/logins')
        return body.logins
      }
      const logins = await list()
      assert.equal(logins.length, 2)
      assert.deepEqual(logins.filter(({ isCurrent }) => isCurrent).length, 1)
      const elsewhere = logins.find(({ userAgent }) => userAgent === 'Elsewhere/1.0')
      assert.deepEqual([elsewhere?.isCurrent, elsewhere?.ipAddress], [false, '127.0.0.1'])
      const path = `/api/auth/logins/${elsewhere?.id}`
      const eve = await cloud.token('eve@example.com')
      assert.equal((await cloud.request('DELETE', path, { token: eve })).status, 404)
      assert.equal((await browser.request('DELETE', path)).status, 200)
      assert.equal((await other.request('GET', '/api/account/me')).status, 401)
      assert.equal(await statusOf(coreToken), 200)
    })

    test('AUTH-67: an address that is not one is not stored', async (t) => {
      const proxied = await startCloud(t, { database, env: { TRUST_PROXY: 'true' } })
      const admin = await proxied.operator.users.findOrCreate('admin@example.com', 1)
      await proxied.operator.users.setAdministrator(admin.id, true, 1)
      const addressFor = async (email: string, claimed: string) => {
        const browser = new Browser(proxied, { origin: proxied.url, 'x-forwarded-for': claimed })
        await browser.signUp(email, password)
        const user = await proxied.operator.users.findByEmail(email)
        return (await proxied.cloud.logins.list(String(user?.id), Date.now()))[0]?.ipAddress
      }
      assert.equal(await addressFor('text@example.com', '<b>anything</b>'), undefined)
      assert.equal(await addressFor('mapped@example.com', '::ffff:198.51.100.7'), '198.51.100.7')
    })

    test('AUTH-67 AUTH-70: a request, a refresh and a glasses socket', async (t) => {
      const { logins, db } = cloud.cloud
      type Login = Awaited<ReturnType<typeof signUp>>
      const uses: Record<string, (login: Login) => Promise<unknown>> = {
        cookie: ({ browser }) => browser.request('GET', '/api/account/me'),
        token: ({ coreToken }) => statusOf(coreToken, node),
        refresh: ({ refreshToken }) => refresh(refreshToken),
        'older-refresh': ({ coreToken }) => cloud.request('POST', '/api/auth/refresh', { token: coreToken }),
        glasses: async ({ coreToken }) => {
          const glasses = new Glasses({ url: node.url, token: coreToken, reconnect: false })
          t.after(() => glasses.disconnect())
          await glasses.connect()
        },
      }
      for (const [name, use] of Object.entries(uses)) {
        const email = `${name}@example.com`
        const login = await signUp(email)
        const user = await cloud.operator.users.findByEmail(email)
        assert.ok(user)
        await db.updateTable('logins').set({ ip_address: null }).where('user_id', '=', user.id).execute()
        const addressOf = async () => (await logins.list(user.id, Date.now()))[0]?.lastUse.address
        assert.equal(await addressOf(), undefined)
        await use(login)
        await Promise.all([cloud.cloud.credentialUses.flush(), node.cloud.credentialUses.flush()])
        assert.equal(await addressOf(), '127.0.0.1', name)
      }
    })

    test('AUTH-68: the 101st login', async () => {
      const { coreToken } = await signUp('many@example.com')
      const user = await cloud.operator.users.findByEmail('many@example.com')
      assert.ok(user)
      const later = Date.now() + 60_000
      for (let n = 1; n <= 99; n += 1) await cloud.cloud.logins.create(user.id, {}, later + n)
      assert.equal(await statusOf(coreToken), 200)
      await cloud.cloud.logins.create(user.id, {}, later + 100)
      assert.equal(await statusOf(coreToken), 401)
    })
  })
})
