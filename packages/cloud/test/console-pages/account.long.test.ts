import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { Browser as AccountBrowser } from '../support/account-browser.ts'
import { addAuthenticator, browserMissing, startBrowser } from '../support/browser.ts'
import { findBarriers, openConsole } from '../support/console-rig.ts'
import { startMailServer } from '../support/mail-server.ts'
import { oidcClient, startOidcIssuer } from '../support/oidc-issuer.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

const ada = 'ada@example.org'
const password = 'a long password'
const newPassword = 'another long password'

const MAIL_TIMEOUT_MS = 20_000

describe('account in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let mailServer: Awaited<ReturnType<typeof startMailServer>>
  let issuer: Awaited<ReturnType<typeof startOidcIssuer>>
  let page: Page
  let problems: string[]

  before(async () => {
    ;[mailServer, issuer, browser] = await Promise.all([
      startMailServer(scope),
      startOidcIssuer(scope),
      startBrowser(scope),
    ])
    const issuers = [{ issuer: issuer.url, id: 'example', label: 'Example', ...oidcClient }]
    cloud = await spawnCloud(scope, {
      env: {
        SIGN_UP: 'invite',
        EMAIL_VERIFICATION: 'true',
        SMTP_URL: mailServer.url,
        OIDC_ISSUERS: JSON.stringify(issuers),
      },
    })
    issuer.register(`${cloud.url}/api/auth/callback/example`)
    assert.equal((await new AccountBrowser(cloud).signUp(ada, password)).status, 200)
    ;({ page, problems } = await openConsole(browser, cloud.url))
  })

  /** Expects the page to be accessible, also on a phone, and to have caused no error. */
  async function expectClean() {
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  }

  /** Returns the link in the next message to an address. */
  async function linkTo(email: string): Promise<string> {
    const { text } = await withTimeout(MAIL_TIMEOUT_MS, mailServer.next(email), 'no message came')
    const link = /(http:\/\/\S+)/.exec(text)?.[1]
    assert.ok(link, text)
    return link
  }

  async function signIn(on: Page, email = ada, secret = password) {
    await on.goto('/sign-in')
    await on.getByLabel('E-mail address').fill(email)
    await on.getByLabel('Password').fill(secret)
    await on.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Signs in again, where an earlier test may have signed out or failed. */
  async function openAccount(path: string, secret = password) {
    await page.context().clearCookies()
    problems.splice(0)
    await signIn(page, ada, secret)
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await page.goto(path)
  }

  test('CON-18: an invitation is filled in, and the address confirmed by the link of a message', async () => {
    const token = await cloud.token(ada)
    const { body } = await cloud.request<{ link: string }>('POST', '/api/auth/invitations', {
      token,
      body: {},
    })
    await page.goto(body.link)
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    assert.equal(new URL(page.url()).hash, '')
    assert.notEqual(await page.getByLabel('Invitation').inputValue(), '')
    await expectClean()
    await page.getByLabel('E-mail address').fill('bob@example.org')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Follow the link').waitFor()

    await page.goto(await linkTo('bob@example.org'))
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    await expectClean()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Your address is confirmed').waitFor()
    await signIn(page, 'bob@example.org')
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
  })

  test('CON-118 CON-18: an unconfirmed address, and its link in another browser', async () => {
    const { db } = cloud.operator
    const setVerified = (email_verified: number) =>
      db.updateTable('users').set({ email_verified }).where('email', '=', 'bob@example.org').execute()
    await setVerified(0)
    await page.goto('/account')
    const notice = page.getByText('E-mail address not confirmed')
    await notice.waitFor()
    await expectClean()
    // Confirmed in another tab, from which the user comes back.
    await setVerified(1)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await notice.waitFor({ state: 'detached' })
    await setVerified(0)
    await page.reload()
    await notice.click()
    await expectClean()
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('A link was sent to bob@example.org').waitFor()
    const link = await linkTo('bob@example.org')
    await page.context().clearCookies()
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The account was created in another browser').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    problems.splice(0)
    await page.getByLabel('New password').fill(newPassword)
    await page.getByRole('button', { name: 'Start with a new account' }).click()
    await page.getByText('Your account is ready').waitFor()
    await signIn(page, 'bob@example.org', newPassword)
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
  })

  test('CON-101 CON-18: a forgotten password is replaced with the link of a message', async () => {
    // Created by the command line, without a password.
    await cloud.token('carl@example.org')
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await expectClean()
    await page.getByLabel('E-mail address').fill('carl@example.org')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('Look into your mail').waitFor()
    const link = await linkTo('carl@example.org')
    await page.goto(link)
    await page.getByLabel('New password').fill(newPassword)
    assert.equal(page.url(), `${cloud.url}/reset-password`)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('Your password was changed').waitFor()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await signIn(page, 'carl@example.org', newPassword)
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
  })

  test('CON-18: a device is named and asked about before it gets access', async () => {
    const start = async () => {
      const body = { client_name: 'Command line on laptop' }
      return (await cloud.request<Record<string, string>>('POST', '/api/auth/device', { body })).body
    }
    const poll = async (codes: Record<string, string>) => {
      const body = { device_code: codes.device_code }
      const response = await cloud.request<{ error?: string }>('POST', '/api/auth/device/token', { body })
      return response.body.error ?? response.status
    }
    const approved = await start()
    await page.context().clearCookies()
    await page.goto(String(approved.verification_uri_complete))
    await page.getByLabel('E-mail address').fill(ada)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in on a device' }).waitFor()
    assert.equal(await page.getByLabel('Code').inputValue(), approved.user_code)
    await expectClean()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(`Sign in Command line on laptop as ${ada}?`).waitFor()
    await expectClean()
    await page.getByRole('button', { name: 'Sign in the device' }).click()
    await page.getByText('The device is signed in').waitFor()
    assert.equal(await poll(approved), 200)

    const denied = await start()
    await page.goto(String(denied.verification_uri))
    await page.getByLabel('Code').fill(String(denied.user_code))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The sign-in was rejected').waitFor()
    assert.equal(await poll(denied), 'access_denied')

    const waiting = await start()
    await cloud.operator.db
      .updateTable('logins')
      .set((e) => ({ created_at: e('created_at', '-', 2 * 60 * 60_000) }))
      .execute()
    // From elsewhere: another fragment would not load the page afresh.
    await page.goto('about:blank')
    await page.goto(String(waiting.verification_uri_complete))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You signed in more than an hour ago').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByLabel('E-mail address').fill(ada)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in on a device' }).waitFor()
    assert.equal(await page.getByLabel('Code').inputValue(), waiting.user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Sign in the device' }).waitFor()
  })

  test('the password is changed, which signs out the other browsers', async () => {
    const other = new AccountBrowser(cloud)
    await other.signIn(ada, password)
    const tokens = '/api/auth/tokens'
    const { status, body } = await other.request<{ token: string }>('POST', tokens, {
      name: 'ci',
      scopes: ['account'],
    })
    assert.equal(status, 200)
    const tokenStatus = async () =>
      (await cloud.request('GET', '/api/account/me', { token: body.token })).status
    await openAccount('/account/security')
    const revokes = page.getByRole('checkbox', { name: 'Revoke my personal access tokens' })
    assert.equal(await revokes.isChecked(), true)
    await page.getByText('Revoke my personal access tokens').click()
    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password').fill(newPassword)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Password changed').first().waitFor()
    assert.equal(await page.getByLabel('New password').inputValue(), '')
    assert.equal(await other.session(), null)
    assert.equal(await tokenStatus(), 200)
    await page.getByLabel('Current password').fill(newPassword)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Password changed').nth(1).waitFor()
    assert.equal(await tokenStatus(), 401)
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-18: a second factor is set up, required, and turned off', async () => {
    await openAccount('/account/security')
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog', { name: 'Second factor' })
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    const secret = await dialog.getByLabel('Or enter this key in the app').inputValue()
    await expectClean()
    await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByRole('heading', { name: 'Backup codes' }).waitFor()
    await expectClean()
    const codes = (await dialog.getByLabel('Backup codes', { exact: true }).inputValue()).split(' ')
    assert.equal(codes.length, 10)
    await dialog.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    for (const code of [totpCode(secret), String(codes[0])]) {
      await page.context().clearCookies()
      await signIn(page)
      // As some authenticator apps show it.
      await page.getByLabel('Code', { exact: true }).fill(code.replace(/^\d{3}(?=\d{3}$)/, '$& '))
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    }
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Turn off' }).click()
    const turnOff = page.getByRole('dialog', { name: 'Turn off' })
    await turnOff.getByLabel('Your password').fill(password)
    await turnOff.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    assert.deepEqual(problems.splice(0), [])
  })

  test('OIDC-7 ACCT-37: an account at an issuer is linked, signs in, and is unlinked', async () => {
    issuer.account = { sub: 'ada-1', email: 'somebody@example.net', email_verified: true }
    await openAccount('/account/security')
    await page.getByRole('button', { name: 'Link Example' }).click()
    await page.getByRole('button', { name: 'Unlink Example' }).waitFor()
    const notice = async (): Promise<string> => {
      const { text } = await withTimeout(MAIL_TIMEOUT_MS, mailServer.next(ada), 'no message came')
      return /Subject: Your account was linked/.test(text) ? text : notice()
    }
    assert.match(await notice(), /\/account\/security/)
    assert.ok(page.url().endsWith('/account/security'))
    problems.splice(0)
    await expectClean()

    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with Example' }).click()
    await page.getByRole('button', { name: `Menu of ${ada}` }).waitFor()
    // The session ends elsewhere, and the issuer leads back to the page that it covered.
    await page.goto('/account/security?from=here')
    await page.getByRole('button', { name: 'Unlink Example' }).waitFor()
    await cloud.request('POST', '/api/auth/logout-everywhere', { token: await cloud.token(ada) })
    await page.getByText('You were signed out. Sign in to go on.').waitFor()
    await page.getByRole('button', { name: 'Continue with Example' }).click()
    await page.getByRole('button', { name: 'Unlink Example' }).waitFor()
    assert.equal(page.url(), `${cloud.url}/account/security?from=here`)
    await page.getByRole('button', { name: 'Unlink Example' }).click()
    const question = page.getByRole('alertdialog', { name: 'Unlink Example?' })
    await question.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('button', { name: 'Link Example' }).waitFor()

    // The issuer asks again, and the person cancels.
    issuer.account = undefined
    await page.context().clearCookies({ name: /^_session/ })
    await page.getByRole('button', { name: 'Link Example' }).click()
    await page.getByRole('alert').getByText('not completed').waitFor()
    problems.splice(0)
  })

  test('CON-18: sign-ins elsewhere are listed and ended, one or all', async () => {
    const other = new AccountBrowser(cloud, { origin: cloud.url, 'user-agent': 'glasses-cli/1.0' })
    await other.signIn(ada, password)
    await openAccount('/account/sessions')
    const list = page.getByRole('list', { name: 'Sign-ins' })
    await list.getByText('This browser').waitFor()
    await list
      .getByText(/Last used .+ from 127\.0\.0\.1/)
      .first()
      .waitFor()
    await expectClean()
    await list.getByRole('button', { name: 'Sign out glasses-cli' }).click()
    const question = page.getByRole('alertdialog', { name: 'Sign out glasses-cli?' })
    await question.getByRole('button', { name: 'Sign out' }).click()
    await list.getByText('glasses-cli').waitFor({ state: 'detached' })
    assert.equal(await other.session(), null)

    const third = new AccountBrowser(cloud)
    await third.signIn(ada, password)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    const all = page.getByRole('alertdialog', { name: 'Sign out everywhere?' })
    await all.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await third.session(), null)
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-140: an address of another site in the link to the sign-in leads to the store', async () => {
    for (const to of [
      'http://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      '/sign-in?to=/sign-in',
    ]) {
      await page.context().clearCookies()
      await page.goto(`/sign-up?to=${encodeURIComponent(to)}`)
      await page.getByRole('link', { name: 'Sign in' }).click()
      // The page to sign up has fields of the same names.
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.getByLabel('E-mail address').fill(ada)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
      assert.equal(new URL(page.url()).origin, cloud.url, to)
    }
    await page.context().clearCookies()
    await page.goto('/sign-in#error=Call+555+0100+to+unlock+your+account')
    await page.getByRole('alert').getByText('The sign-in was not completed').waitFor()
    assert.equal(await page.getByText('555').count(), 0)
    problems.splice(0)
  })

  test('CON-109 CON-18: a session that ended elsewhere goes on after a sign-in, in every tab', async (t) => {
    const { page: typing, context, problems: found } = await openConsole(browser, cloud.url)
    t.after(() => context.close())
    await signIn(typing)
    await typing.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await typing.goto('/account')
    await typing.getByLabel('Display name').fill('Countess')
    // A page that follows no events, where a request is the first to notice.
    const waiting = await context.newPage()
    await waiting.goto('/device')
    await waiting.getByLabel('Code').fill('BCDF-GHJK')
    found.splice(0)

    await cloud.request('POST', '/api/auth/logout-everywhere', { token: await cloud.token(ada) })
    await waiting.getByRole('button', { name: 'Continue' }).click()
    for (const tab of [waiting, typing]) {
      await tab.getByText('You were signed out. Sign in to go on.').waitFor()
      assert.equal(await tab.getByText('Unauthorized').count(), 0)
      assert.equal(await tab.getByRole('button', { name: 'Try again' }).count(), 0)
    }
    assert.deepEqual(await findBarriers(typing, { onPhone: true }), [])
    assert.equal(await typing.getByLabel('E-mail address').inputValue(), ada)
    await typing.getByLabel('Password').fill('the wrong one')
    await typing.getByRole('button', { name: 'Sign in', exact: true }).click()
    await typing.getByText('Invalid e-mail address or password').waitFor()
    await typing.getByLabel('Password').fill(password)
    await typing.getByRole('button', { name: 'Sign in', exact: true }).click()
    for (const tab of [waiting, typing])
      await tab.getByText('You were signed out').waitFor({ state: 'detached' })
    assert.equal(new URL(typing.url()).pathname, '/account')
    assert.equal(await typing.getByLabel('Display name').inputValue(), 'Countess')
    await typing.getByRole('button', { name: 'Save' }).click()
    await typing.getByText('Profile saved').waitFor()
    // The request of the other tab was sent again.
    await waiting.getByText('The code is unknown or has expired').waitFor()
    assert.equal(await waiting.getByLabel('Code').inputValue(), 'BCDF-GHJK')
  })

  test('CON-18: the account is deleted after a new sign-in and the typed address', async () => {
    await openAccount('/account/data')
    await page.getByText('You are the last administrator of this cloud').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete my account' }).count(), 0)

    const email = 'leaver@example.org'
    const { body } = await cloud.request<{ link: string }>('POST', '/api/auth/invitations', {
      token: await cloud.token(ada),
      body: { email },
    })
    const invitation = new URLSearchParams(new URL(body.link).hash.slice(1)).get('invitation')
    assert.equal((await new AccountBrowser(cloud).signUp(email, password, { invitation })).status, 200)
    await page.context().clearCookies()
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await cloud.operator.db
      .updateTable('logins')
      .set((e) => ({ created_at: e('created_at', '-', 2 * 60 * 60_000) }))
      .execute()
    await page.goto('/account/data')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account for good?' })
    await dialog.getByRole('link', { name: 'Sign in again' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    const submit = dialog.getByRole('button', { name: 'Delete everything' })
    await dialog.getByRole('textbox').fill('other@example.org')
    assert.equal(await submit.isDisabled(), true)
    await dialog.getByRole('textbox').fill(email)
    await submit.click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByText('Your account is deleted').waitFor()
    assert.equal(await cloud.operator.users.findByEmail(email), undefined)
    problems.splice(0)
  })

  test('CON-18: a personal access token is shown once, works as its scopes say, and is revoked', async () => {
    await openAccount('/account/sessions')
    await page.getByRole('button', { name: 'Create a token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a token' })
    await dialog.getByLabel('Name').fill('Deployment')
    await dialog.getByText('Read your apps and their logs').click()
    await dialog.getByText('Read your account').click()
    await expectClean()
    await dialog.getByRole('button', { name: 'Create' }).click()
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const list = page.getByRole('list', { name: 'Personal access tokens' })
    await list.getByText('Deployment').waitFor()
    assert.ok(!(await page.content()).includes(token), 'the token is not shown again')
    const statusOf = async (path: string) => (await cloud.request('GET', path, { token })).status
    await list.getByText('Never used').waitFor()
    assert.deepEqual([await statusOf('/api/account/me'), await statusOf('/api/console/apps')], [200, 403])
    await waitFor('the use is stored', async () => {
      const uses = await cloud.operator.db.selectFrom('personal_tokens').select('last_used_at').execute()
      return uses.some(({ last_used_at }) => last_used_at !== null)
    })
    await page.reload()
    await list.getByText(/Last used .+ from 127\.0\.0\.1/).waitFor()
    await list.getByRole('button', { name: 'Revoke Deployment' }).click()
    const question = page.getByRole('alertdialog', { name: 'Revoke the token “Deployment”?' })
    await question.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('You have no tokens yet').waitFor()
    // Tests before this one logged out everywhere.
    await cloud.operator.db.updateTable('users').set({ tokens_valid_from: 0 }).execute()
    await cloud.operator.db
      .updateTable('logins')
      .set((e) => ({ created_at: e('created_at', '-', 2 * 60 * 60_000) }))
      .execute()
    await page.getByRole('button', { name: 'Create a token' }).click()
    await dialog.getByLabel('Name').fill('Too late')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Sign in again first').waitFor()
    await dialog.getByRole('link', { name: 'Sign in again' }).waitFor()
    problems.splice(0)
    assert.equal(await statusOf('/api/account/me'), 401)
    assert.deepEqual(problems.splice(0), [])
  })

  test('ACCT-56 ACCT-57 CON-18: a passkey is added, signs in, and is renamed and removed', async (t) => {
    const console = await openConsole(browser, cloud.url)
    t.after(() => console.context.close())
    const { page: local } = console
    const { devTools, authenticatorId } = await addAuthenticator(local)
    await signIn(local)
    await local.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await local.goto('/account/security')
    await local.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = local.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('This laptop')
    assert.deepEqual(await findBarriers(local), [])
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    const list = local.getByRole('list', { name: 'Passkeys' })
    await list.getByText('This laptop').waitFor()
    const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
    assert.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => ({ rpId, isResidentCredential })),
      [{ rpId: 'localhost', isResidentCredential: true }],
    )

    await console.context.clearCookies()
    await local.goto('/account/security')
    const passkey = local.getByRole('button', { name: 'Sign in with a passkey' })
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await passkey.click()
    await local.getByText('No passkey was used').waitFor()
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await passkey.click()
    await list.getByRole('button', { name: 'Rename This laptop' }).click()
    const rename = local.getByRole('dialog', { name: 'Rename' })
    await rename.getByLabel('Name').fill('Work laptop')
    await rename.getByRole('button', { name: 'Save' }).click()
    await list.getByText('Work laptop').waitFor()
    assert.deepEqual(await findBarriers(local), [])
    await list.getByRole('button', { name: 'Remove Work laptop' }).click()
    const question = local.getByRole('alertdialog', { name: 'Remove the passkey “Work laptop”?' })
    await question.getByRole('button', { name: 'Remove' }).click()
    await local.getByText('You have no passkeys yet').waitFor()

    await console.context.clearCookies()
    await local.goto('/sign-in')
    await passkey.click()
    await local.getByText('The passkey was not accepted').waitFor()

    const atAddress = await openConsole(browser, cloud.localUrl)
    t.after(() => atAddress.context.close())
    await signIn(atAddress.page)
    await atAddress.page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await atAddress.page.goto('/account/security')
    await atAddress.page.getByText('They need https, or http://localhost').waitFor()
    const elsewhere = atAddress.page.getByRole('link', { name: `Open ${cloud.url} to use passkeys` })
    assert.equal(await elsewhere.getAttribute('href'), `${cloud.url}/account/security`)
  })
})
