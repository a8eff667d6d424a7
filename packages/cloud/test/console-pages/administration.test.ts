import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/glasses'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole } from '../support/console-rig.ts'
import { createDeveloper, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const ADA = 'ada@example.org'

const MINUTE_MS = 60_000

describe('administration pages in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let browser: Browser
  let page: Page
  let problems: string[]

  before(async () => {
    const secret = `Verborgen ${'x'.repeat(32)}`
    cloud = await startCloud(scope, {
      env: {
        APP_REVIEW: 'on',
        SYSTEM_APPS: 'org.example.system',
        AUTH_SECRET: secret,
      },
    })
    browser = await startBrowser(scope)
    ;({ page, problems } = await openConsole(browser, cloud.url))
    await createAdministrator(page, ADA, secret)
  })

  /** Expects the page to be accessible, also on a phone, and to have caused no error. */
  async function expectClean() {
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  }

  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const toast = (text: string) => page.getByRole('alertdialog').getByText(text).first()

  /** Opens a part of the administration from the navigation. */
  async function openPart(name: string) {
    await page.goto('/admin')
    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name }).click()
  }

  /** Answers the question of a dialog. */
  async function confirm(question: string, answer: string) {
    await page.getByRole('alertdialog', { name: question }).getByRole('button', { name: answer }).click()
  }

  test('CON-80: administration does not exist for other users', async (t) => {
    await page.getByRole('link', { name: 'Administration' }).waitFor()
    const other = await openConsole(browser, cloud.url)
    t.after(() => other.context.close())
    await other.page.goto('/sign-up')
    await other.page.getByLabel('E-mail address').fill('eve@example.org')
    await other.page.getByLabel('Password').fill('a long password')
    await other.page.getByRole('button', { name: 'Create account' }).click()
    await other.page.getByRole('link', { name: 'Account', exact: true }).waitFor()
    assert.equal(await other.page.getByRole('link', { name: 'Administration' }).count(), 0)
    for (const path of ['/admin', '/admin/sessions']) {
      await other.page.goto(path)
      await other.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    }
  })

  test('CON-81 CON-87 CON-18: users are found, suspended with the keyboard, promoted and deleted', async () => {
    const [bob, carl] = [await createDeveloper(cloud, 'bob'), await createDeveloper(cloud, 'carl')]
    await openPart('Users')
    await row(ADA).getByText('You').waitFor()
    assert.equal(await row(ADA).getByRole('button').count(), 0)
    await page.getByLabel('Beginning of the e-mail address').fill(bob.email.slice(0, 5).toUpperCase())
    await row(bob.email).waitFor()
    await row(carl.email).waitFor({ state: 'detached' })
    await expectClean()

    await button(`Suspend ${bob.email}`).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog', { name: `Suspend ${bob.email}?` })
    await question.getByLabel('Reason, for the audit log').focus()
    await page.keyboard.type('Abuse of the store')
    await question.getByRole('button', { name: 'Suspend' }).focus()
    await page.keyboard.press('Enter')
    await row(bob.email).getByText('Suspended since').waitFor()
    assert.equal((await bob.call('GET', '/account')).status, 401)
    await button(`End suspension of ${bob.email}`).click()
    await row(bob.email).getByText('Suspended since').waitFor({ state: 'detached' })
    assert.equal((await bob.call('GET', '/account')).status, 200)

    await button(`Make administrator: ${bob.email}`).click()
    await confirm(`Make ${bob.email} an administrator?`, 'Make administrator')
    await row(bob.email).getByText('Administrator', { exact: true }).waitFor()

    await openPart('Audit log')
    await row('Suspended a user').getByText('Abuse of the store').waitFor()
    for (const action of ['Suspended a user', 'Ended a suspension', 'Made an administrator'])
      await row(action).filter({ hasText: bob.id }).getByText('Done').waitFor()
    await expectClean()

    await openPart('Users')
    await page.getByLabel('Beginning of the e-mail address').fill(bob.email)
    await button(`Delete ${bob.email}`).click()
    await confirm(`Delete ${bob.email} for good?`, 'Cancel')
    await button(`Delete ${bob.email}`).click()
    await confirm(`Delete ${bob.email} for good?`, 'Delete everything')
    await heading('No user found').waitFor()
    assert.equal(await cloud.operator.users.findByEmail(bob.email), undefined)

    await openPart('Audit log')
    for (const action of [
      'Suspended a user',
      'Ended a suspension',
      'Made an administrator',
      'Deleted a user',
    ])
      await row(action).filter({ hasText: 'deleted-' }).getByText('Done').waitFor()
    assert.ok(await row('Deleted a user').getByText(ADA).isVisible())
    assert.equal(await page.getByText('Abuse of the store').count(), 0)
    await expectClean()
  })

  test('CON-82 CON-18: an app is rejected with notes, and approved when it comes back', async () => {
    const dora = await createDeveloper(cloud, 'dora')
    const packageName = newPackageName()
    const permissions = [{ type: 'CAMERA', description: 'to find your keys' }]
    await dora.create(packageName, { name: 'Finder', permissions, appStoreStatus: 'PUBLISHED' })
    const stateOf = async () => {
      const { appStoreStatus, review } = (await dora.call('GET', `/apps/${packageName}`)).body.data
      return [appStoreStatus, (review as { notes?: string } | undefined)?.notes]
    }
    await openPart('Review')
    await heading('Finder').waitFor()
    await page.getByText('to find your keys').waitFor()
    await button('Reject Finder').click()
    await page.getByText('Write in the notes what the developers have to change.').waitFor()
    await expectClean()
    assert.deepEqual(await stateOf(), ['SUBMITTED', ''])
    await page.getByLabel('Notes for the developers').fill('Explain the camera')
    await button('Reject Finder').click()
    await heading('No app is waiting').waitFor()
    assert.deepEqual(await stateOf(), ['REJECTED', 'Explain the camera'])

    await dora.call('POST', `/apps/${packageName}/publish`)
    await openPart('Review')
    await button('Approve Finder').click()
    await toast('Finder is in the store').waitFor()
    assert.equal((await stateOf())[0], 'PUBLISHED')

    const more = [...permissions, { type: 'MICROPHONE', description: 'to hear your keys' }]
    const changes = { permissions: more, publicUrl: 'https://other.example.org' }
    await dora.call('PATCH', `/apps/${packageName}`, changes)
    await openPart('Review')
    await page.getByText('to hear your keys New').waitFor()
    await page.getByText('Approved: http://127.0.0.1:9').waitFor()
    await dora.call('POST', `/apps/${packageName}/unpublish`)
    await dora.call('PATCH', `/apps/${packageName}`, { permissions: [{ type: 'ALL' }] })
    await dora.call('POST', `/apps/${packageName}/publish`)
    await button('Approve Finder').click()
    await page.getByText('The app has changed since it was listed').waitFor()
    problems.length = 0
    await openPart('Review')
    await page.getByText('Everything').waitFor()
    assert.equal((await stateOf())[0], 'SUBMITTED')
  })

  test('CON-83 CON-18: sessions appear and end without a reload', async (t) => {
    const emma = await createDeveloper(cloud, 'emma')
    await openPart('Live sessions')
    await page.getByText('Live', { exact: true }).waitFor()
    assert.equal(await row(emma.email).count(), 0)
    const glasses = new Glasses({ url: cloud.url, token: emma.token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await row(emma.email).getByText(cloud.cloud.config.node.name).waitFor()
    await row(emma.email).getByText('Off', { exact: true }).waitFor()
    await expectClean()
    const closed = new Promise((resolve) => glasses.once('close', resolve))
    await button(`End the session of ${emma.email}`).click()
    await confirm(`End the session of ${emma.email}?`, 'End')
    await closed
    await row(emma.email).waitFor({ state: 'detached' })
  })

  test('CON-84 CON-18: the health page', async () => {
    // Later than what the node itself measures, which is stored each minute.
    const minute = Math.floor(Date.now() / MINUTE_MS) + 60
    const sample = (requests: number) =>
      JSON.stringify({
        sessions: 2,
        glassesSockets: 2,
        appSockets: 3,
        requests,
        failedRequests: 0,
        slowRequests: 1,
        processors: 0.25,
        eventLoop: 0.125,
        memoryBytes: 100 * 1024 ** 2,
      })
    await cloud.cloud.db
      .insertInto('node_samples')
      .values([
        { node: 'one', minute: minute - 2, sample: sample(40) },
        { node: 'two', minute: minute - 2, sample: sample(60) },
        { node: 'one', minute: minute - 1, sample: sample(30) },
      ])
      .execute()
    await openPart('Health')
    await row(cloud.cloud.config.node.name).getByText('Serving').waitFor()
    await row('database').getByText('Works').waitFor()
    await row('org.example.system').getByText('Note').waitFor()
    await page.getByRole('img', { name: 'Requests a minute: 30 at last, at most 100' }).waitFor()
    await page.getByRole('img', { name: 'Open sockets: 5 at last, at most 10' }).waitFor()
    await expectClean()
    await page.getByRole('tab', { name: 'Table' }).click()
    const bothNodes = page
      .getByRole('region', { name: 'Measurements' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: '12.5', exact: true }) })
      .filter({ has: page.getByRole('cell', { name: '200', exact: true }) })
    assert.deepEqual(await bothNodes.getByRole('cell').allTextContents(), [
      '4',
      '10',
      '100',
      '0',
      '2',
      '0.5',
      '12.5',
      '200',
    ])
    const checked = page.waitForResponse('**/api/admin/checks')
    await button('Check again').click()
    assert.equal((await checked).status(), 200)
  })

  test('CON-85 CON-18: reports and incidents are shown with their content', async () => {
    const fred = await createDeveloper(cloud, 'fred')
    const report = (path: string, body: unknown) => cloud.request('POST', path, { token: fred.token, body })
    assert.equal((await report('/api/client/feedback', { feedback: 'The lens is dark' })).status, 200)
    await openPart('Reports')
    await page.getByText(`Feedback of ${fred.email}`).click()
    await page.getByText('The lens is dark').waitFor()
    await expectClean()
    await page.getByRole('tab', { name: 'Incidents' }).click()
    await heading('No incidents').waitFor()
    const incident = await cloud.request<{ incidentId: string }>('POST', '/api/incidents', {
      token: fred.token,
      body: { feedback: 'It fell' },
    })
    const form = new FormData()
    form.append('files', new Blob(['cracked']), 'lens.txt')
    const attached = await fetch(`${cloud.url}/api/incidents/${incident.body.incidentId}/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fred.token}` },
      body: form,
    })
    assert.equal(attached.status, 200)
    await page.reload()
    await page.getByRole('tab', { name: 'Incidents' }).click()
    await page.getByText(`Incident of ${fred.email}`).click()
    await page.getByText('It fell').waitFor()
    const started = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download lens.txt' }).click()
    assert.equal(await readFile(await (await started).path(), 'utf8'), 'cracked')
  })

  test('CON-86 CON-18: the settings page', async () => {
    await openPart('Settings')
    await row('org.example.system').getByText('Not registered').waitFor()
    await row('apps.review').getByText('true').waitFor()
    await row('auth.secret').first().getByText('[set]').waitFor()
    assert.equal(await page.getByText('Verborgen').count(), 0)
    await expectClean()
  })

  test('CON-88 CON-18: an invitation from creation to withdrawal', async () => {
    await openPart('Invitations')
    await page.getByLabel('E-mail address').fill('guest@example.org')
    await button('Invite').click()
    const link = page.getByLabel('Link of the invitation, shown once')
    assert.match(await link.inputValue(), /sign-up.*invitation=/)
    await row('guest@example.org').waitFor()
    await expectClean()
    await page.reload()
    await row('guest@example.org').waitFor()
    assert.equal(await link.count(), 0)
    await button('Withdraw the invitation for guest@example.org').click()
    await confirm('Withdraw this invitation?', 'Withdraw')
    await row('guest@example.org').waitFor({ state: 'detached' })
  })
})
