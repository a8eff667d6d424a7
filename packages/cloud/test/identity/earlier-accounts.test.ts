import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'
import { forgetCodes, totpCode } from '../support/totp.ts'

/** What the version before ADR 23 stored and sent: rows by table, and what its users kept. */
interface Recording {
  readonly recordedAt: number
  readonly resetToken: string
  readonly cookies: Readonly<Record<'ada' | 'trusted' | 'waiting' | 'preparing', Record<string, string>>>
  readonly factors: Readonly<Record<string, { readonly secret: string; readonly backupCode: string }>>
  readonly rows: Readonly<
    Record<
      'users' | 'logins' | 'sign_in_methods' | 'two_factors' | 'verifications' | 'set_up',
      Record<string, string | number>[]
    >
  >
}

const recording: Recording = JSON.parse(
  readFileSync(new URL('./earlier-accounts.json', import.meta.url), 'utf8'),
)
const password = 'correct horse battery'

eachDatabase((database) => {
  describe('accounts of the version before ADR 23', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      forgetCodes()
      const earlierSecret = 'an earlier secret of this cloud that is long enough'
      const env = { AUTH_SECRET: testSecret, AUTH_SECRET_PREVIOUS: earlierSecret }
      cloud = await startCloud(scope, { database, env })
      const age = Date.now() - recording.recordedAt
      for (const table of [
        'users',
        'logins',
        'sign_in_methods',
        'two_factors',
        'verifications',
        'set_up',
      ] as const)
        for (const row of recording.rows[table]) {
          const recent = Object.entries(row).map(([column, value]) => [
            column,
            column.endsWith('_at') ? Number(value) + age : value,
          ])
          await cloud.cloud.db.insertInto(table).values(Object.fromEntries(recent)).execute()
        }
    })

    const browserWith = (cookies: Readonly<Record<string, string>>) => {
      const browser = new Browser(cloud)
      for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
      return browser
    }
    const factorOf = (email: string) => recording.factors[email] ?? { secret: '', backupCode: '' }
    const verify = (browser: Browser, kind: 'totp' | 'backup-code', code: string) =>
      browser.request('POST', `/api/auth/two-factor/verify-${kind}`, { code })

    test('ACCT-62: passwords sign in, in any Unicode form', async () => {
      for (const form of ['NFC', 'NFD', 'NFKC']) {
        const { status } = await new Browser(cloud).signIn(
          'ada@example.com',
          'Pässwörd with ﬁ ligature'.normalize(form),
        )
        assert.equal(status, 200, form)
      }
      assert.equal((await new Browser(cloud).signIn('ada@example.com', 'Passwort')).status, 401)
    })

    test('ACCT-9 ACCT-62: a sign-in replaces the hash, also of concurrent ones', async () => {
      const { db } = cloud.cloud
      const hashes = async () =>
        (await db.selectFrom('sign_in_methods').select('password').execute()).map((row) => row.password ?? '')
      const outdated = (await hashes()).filter((hash) => !hash.startsWith('$argon2id$')).length
      const statuses = await Promise.all(
        [1, 2, 3].map(async () => (await new Browser(cloud).signIn('first@example.com', password)).status),
      )
      assert.deepEqual(statuses, [200, 200, 200])
      assert.equal((await hashes()).filter((hash) => !hash.startsWith('$argon2id$')).length, outdated - 1)
      assert.equal((await new Browser(cloud).signIn('first@example.com', password)).status, 200)
      assert.equal((await new Browser(cloud).signIn('first@example.com', `${password}!`)).status, 401)
    })

    test('ACCT-62: sessions continue, and end by sign-out', async () => {
      const browser = browserWith(recording.cookies.ada)
      assert.equal((await browser.session())?.user.email, 'ada@example.com')
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
      await browser.request('POST', '/api/auth/sign-out')
      assert.equal(await browserWith(recording.cookies.ada).session(), null)
    })

    test('ACCT-62: authenticator apps and backup codes work, also those of an earlier AUTH_SECRET', async () => {
      for (const email of ['factor@example.com', 'earlier@example.com']) {
        const { secret, backupCode } = factorOf(email)
        for (const [kind, code] of [
          ['totp', totpCode(secret)],
          ['backup-code', backupCode],
        ] as const) {
          const browser = new Browser(cloud)
          assert.equal((await browser.signIn(email, password)).body.twoFactorRedirect, true)
          assert.equal((await verify(browser, kind, code)).status, 200, `${email} ${kind}`)
          assert.equal((await browser.session())?.user.twoFactorEnabled, true)
        }
        const again = new Browser(cloud)
        await again.signIn(email, password)
        assert.equal((await verify(again, 'backup-code', backupCode)).status, 401)
      }
    })

    test('ACCT-62: a factor that was prepared can be activated', async () => {
      const browser = browserWith(recording.cookies.preparing)
      const { secret } = factorOf('preparing@example.com')
      assert.equal((await verify(browser, 'totp', totpCode(secret))).status, 200)
      const next = await new Browser(cloud).signIn('preparing@example.com', password)
      assert.equal(next.body.twoFactorRedirect, true)
    })

    test('ACCT-43 ACCT-62: trusted browsers need no code, sign-ins that wait for one continue', async () => {
      const trusted = browserWith(recording.cookies.trusted)
      for (let n = 0; n < 2; n += 1)
        assert.equal((await trusted.signIn('factor@example.com', password)).body.twoFactorRedirect, false)
      assert.equal(
        (await browserWith(recording.cookies.trusted).signIn('factor@example.com', password)).body
          .twoFactorRedirect,
        true,
        'a trust that was renewed is used up',
      )
      const waiting = browserWith(recording.cookies.waiting)
      const code = totpCode(factorOf('factor@example.com').secret)
      assert.equal((await verify(waiting, 'totp', code)).status, 200)
    })

    test('ACCT-62: a reset link sets a new password', async () => {
      const body = { token: recording.resetToken, newPassword: 'staple of another kind' }
      assert.equal((await cloud.request('POST', '/api/auth/reset-password', { body })).status, 200)
      assert.equal((await new Browser(cloud).signIn('ada@example.com', body.newPassword)).status, 200)
    })
  })
})
