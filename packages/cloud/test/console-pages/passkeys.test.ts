import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addAuthenticator, browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, openConsole } from '../support/console-rig.ts'
import { spawnCloud } from '../support/test-cloud.ts'

const email = 'ada@example.org'

describe('passkeys in a browser', { skip: browserMissing }, () => {
  test('ACCT-64: the first administrator adds a passkey, and signs in with it', async (t) => {
    const [cloud, browser] = await Promise.all([
      spawnCloud(t, { env: { LOG_LEVEL: 'error' }, hasDefaultLimits: true }),
      startBrowser(t),
    ])
    const { page, context, problems } = await openConsole(browser, cloud.url)
    const { devTools, authenticatorId } = await addAuthenticator(page)
    await createAdministrator(page, email)
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('This laptop')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('list', { name: 'Passkeys' }).getByText('This laptop').waitFor()
    const { credentials } = await devTools.send('WebAuthn.getCredentials', { authenticatorId })
    assert.equal(credentials.length, 1)

    // An open page would report that it is no longer signed in.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await page.getByRole('button', { name: `Menu of ${email}` }).waitFor()
    assert.deepEqual(problems, [])
    await cloud.stop()
    assert.deepEqual(cloud.logged, [])
  })
})
