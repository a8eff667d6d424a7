import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PasswordPolicy } from '../../src/features/auth/password/password-policy.ts'
import { Browser } from '../support/account-browser.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const email = 'ada.lovelace@example.com'
const password = 'correct horse battery'

/** A password for each reason to reject it. */
const WEAK = {
  PASSWORD_COMMON: 'password',
  PASSWORD_CONTAINS_ADDRESS: 'Ada.Lovelace-2027',
  PASSWORD_GUESSABLE: 'Passw0rd!!',
}

describe('the password policy', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let mailServer: Awaited<ReturnType<typeof startMailServer>>
  let browser: Browser

  before(async () => {
    mailServer = await startMailServer(scope)
    cloud = await startCloud(scope, { env: { SIGN_UP: 'open', SMTP_URL: mailServer.url } })
    browser = new Browser(cloud)
  })

  /** Expects the same rejections wherever a password is set. */
  async function expectRejections(
    set: (weak: string) => Promise<{ status: number; body: { error?: string } }>,
  ) {
    for (const [error, weak] of Object.entries(WEAK)) {
      const { status, body } = await set(weak)
      assert.deepEqual([status, body.error], [400, error], weak)
    }
  }

  test('ACCT-63: holds for the first administrator', async () => {
    await expectRejections((weak) => browser.signUp(email, weak))
    assert.equal((await browser.signUp(email, password)).status, 200)
  })

  test('ACCT-63: holds for later accounts', async () => {
    await expectRejections((weak) => new Browser(cloud).signUp('ada.lovelace@example.net', weak))
    assert.equal(await cloud.operator.users.findByEmail('ada.lovelace@example.net'), undefined)
  })

  test('ACCT-63: holds for a change, which leaves the password as it was', async () => {
    await expectRejections((newPassword) =>
      browser.request('POST', '/api/auth/change-password', { currentPassword: password, newPassword }),
    )
    assert.equal((await new Browser(cloud).signIn(email, password)).status, 200)
  })

  test('ACCT-63: holds for a reset and a claim, whose links stay valid', async () => {
    const { status } = await browser.request('POST', '/api/auth/request-password-reset', { email })
    assert.equal(status, 200)
    const token = tokenIn(await mailServer.next(email))
    const reset = (newPassword: string) =>
      browser.request<{ error?: string }>('POST', '/api/auth/reset-password', { token, newPassword })
    await expectRejections(reset)
    assert.equal((await reset('staple of another kind')).status, 200)

    const squatted = 'ada.lovelace@example.org'
    assert.equal((await new Browser(cloud).signUp(squatted, password)).status, 200)
    const owner = new Browser(cloud)
    await owner.request('POST', '/api/auth/send-verification-email', { email: squatted })
    const link = tokenIn(await mailServer.next(squatted))
    const claim = (newPassword: string) =>
      owner.request<{ error?: string }>('POST', '/api/auth/verify-email', { token: link, newPassword })
    await expectRejections(claim)
    assert.equal((await claim('staple of another kind')).status, 200)
  })

  test('ACCT-63: passwords that take long are judged without delaying other requests', async (t) => {
    const policy = new PasswordPolicy()
    t.after(() => policy.close())
    const signs = '4@8({[<3369!1|0$5+7%2'.repeat(3)
    await policy.require(signs, { email })
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await Promise.all(Array.from({ length: 10 }, (_, index) => policy.require(`${signs}${index}`, { email })))
    clearInterval(timer)
    assert.ok(ticks > 5, String(ticks))
  })
})
