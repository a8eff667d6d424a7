import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { Browser, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { contentOf, createAdministrator, findBarriers, openConsole } from '../support/console-rig.ts'
import { createDeveloper, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'

const ADA = 'ada@example.org'

const MINUTE_MS = 60_000

describe('administration pages in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  /** The name of the only node. */
  let node: string
  let browser: Browser
  let page: Page
  let problems: string[]

  before(async () => {
    const secret = `Verborgen ${'x'.repeat(32)}`
    const spawned = await spawnCloud(scope, {
      env: {
        APP_REVIEW: 'on',
        SYSTEM_APPS: 'org.example.system',
        AUTH_SECRET: secret,
      },
    })
    cloud = spawned
    node = `${hostname()}-${spawned.process.pid}`
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

  /** Chooses an action from the menu of a user. */
  async function choose(email: string, action: string) {
    await button(`Actions for ${email}`).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
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

  test('CON-18: users are found, suspended with the keyboard, promoted and deleted', async () => {
    const [bob, carl] = [await createDeveloper(cloud, 'bob'), await createDeveloper(cloud, 'carl')]
    await openPart('Users')
    await row(ADA).getByText('You').waitFor()
    assert.equal(await row(ADA).getByRole('button').count(), 0)
    await page.getByLabel('Beginning of the e-mail address').fill(bob.email.slice(0, 5).toUpperCase())
    await row(bob.email).waitFor()
    await row(carl.email).waitFor({ state: 'detached' })
    await expectClean()

    await button(`Actions for ${bob.email}`).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Sus')
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog', { name: `Suspend ${bob.email}?` })
    await question.getByLabel('Reason, for the audit log').focus()
    await page.keyboard.type('Abuse of the store')
    await question.getByRole('button', { name: 'Suspend' }).focus()
    await page.keyboard.press('Enter')
    await row(bob.email).getByText('Suspended since').waitFor()
    assert.equal((await bob.call('GET', '/account')).status, 401)
    await choose(bob.email, 'End suspension')
    await confirm(`End the suspension of ${bob.email}?`, 'End suspension')
    await row(bob.email).getByText('Suspended since').waitFor({ state: 'detached' })
    assert.equal((await bob.call('GET', '/account')).status, 200)

    await choose(bob.email, 'Make administrator')
    await confirm(`Make ${bob.email} an administrator?`, 'Make administrator')
    await row(bob.email).getByText('Administrator', { exact: true }).waitFor()

    await openPart('Audit log')
    await row('Suspended a user').getByText('Abuse of the store').waitFor()
    for (const action of ['Suspended a user', 'Ended a suspension', 'Made an administrator'])
      await row(action).filter({ hasText: bob.id }).getByText('Done').waitFor()
    await expectClean()

    await openPart('Users')
    await page.getByLabel('Beginning of the e-mail address').fill(bob.email)
    await choose(bob.email, 'Delete')
    await confirm(`Delete ${bob.email} for good?`, 'Cancel')
    await choose(bob.email, 'Delete')
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

  test('CON-18: an app is rejected with notes, and approved when it comes back', async () => {
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

  test('CON-18: sessions appear, are found, and end without a reload', async (t) => {
    const emma = await createDeveloper(cloud, 'emma')
    await openPart('Live sessions')
    await page.getByText('Live', { exact: true }).waitFor()
    assert.equal(await row(emma.email).count(), 0)
    const glasses = new Glasses({ url: cloud.url, token: emma.token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await row(emma.email).getByText(node).waitFor()
    await row(emma.email).getByText('Microphone: off').waitFor()
    await expectClean()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      const box = await button(`End the session of ${emma.email}`).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${width}: ${JSON.stringify(box)}`)
      const lines = await row(emma.email)
        .getByText(emma.email)
        .evaluate((cell) => cell.getClientRects().length)
      assert.equal(lines, 1)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
    glasses.putOn('Mentra Live')
    await row(emma.email).getByText('Mentra Live').waitFor()
    const search = page.getByLabel('Search by user, glasses, app or node')
    await search.fill('vuzix')
    await heading('No session matches').waitFor()
    await search.fill('mentra l')
    await row(emma.email).waitFor()
    await page.waitForURL(/q=mentra/)
    await page.reload()
    await row(emma.email).waitFor()
    const closed = new Promise((resolve) => glasses.once('close', resolve))
    await button(`End the session of ${emma.email}`).click()
    await confirm(`End the session of ${emma.email}?`, 'End')
    await closed
    await row(emma.email).waitFor({ state: 'detached' })
  })

  test('CON-18: the health page', async () => {
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
    await cloud.operator.db
      .insertInto('node_samples')
      .values([
        { node: 'one', minute: minute - 2, sample: sample(40_000) },
        { node: 'two', minute: minute - 2, sample: sample(60_000) },
        { node: 'one', minute: minute - 1, sample: sample(30_000) },
      ])
      .execute()
    await openPart('Health')
    await row(node).getByText('Serving').waitFor()
    await row('database').getByText('Works').waitFor()
    await row('org.example.system').getByText('Note').waitFor()
    assert.equal(await page.getByText('system.augmentos.dashboard').count(), 0)
    await page.getByRole('img', { name: 'Requests a minute: 30,000 at last, at most 100,000' }).waitFor()
    await page.getByRole('img', { name: 'Open sockets: 5 at last, at most 10' }).waitFor()
    await expectClean()
    const happened = page.getByRole('region', { name: 'What happened' })
    await happened.getByText(`${node} started`).waitFor()
    // All charts show the values at the same time: with the keyboard, and with a pointer on one of them.
    const shown = (name: string) => page.getByRole('figure', { name, exact: true }).locator('strong')
    const time = page.getByRole('slider', { name: 'Time' })
    assert.deepEqual(
      [await shown('Requests a minute').textContent(), await shown('Open sockets').textContent()],
      ['30,000', '5'],
    )
    await time.focus()
    await page.keyboard.press('ArrowLeft')
    await shown('Requests a minute').getByText('100,000', { exact: true }).waitFor()
    assert.equal(await shown('Open sockets').textContent(), '10')
    await page.keyboard.press('Tab')
    await happened.getByText(`${node} started`).hover()
    await page
      .getByRole('status')
      .filter({ hasText: `${node} started` })
      .waitFor()
    const chart = page.getByRole('img', { name: /^Open sockets/ })
    const box = await chart.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
    await shown('Requests a minute').getByText('30,000', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Table' }).click()
    await page
      .getByRole('row')
      .filter({ hasText: `${node} started` })
      .waitFor()
    const bothNodes = page
      .getByRole('region', { name: 'Over time' })
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: '12.5', exact: true }) })
      .filter({ has: page.getByRole('cell', { name: '200', exact: true }) })
    assert.deepEqual((await bothNodes.getByRole('cell').allTextContents()).slice(0, 8), [
      '4',
      '100,000',
      '0',
      '2',
      '10',
      '0.5',
      '12.5',
      '200',
    ])
    const checked = page.waitForResponse('**/api/admin/checks')
    await button('Check again').click()
    assert.equal((await checked).status(), 200)
  })

  test('CON-18: reports and incidents are shown with their content', async () => {
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
    assert.equal(String(await contentOf(started)), 'cracked')
  })

  test('the audit log and users are found by their address', async () => {
    await page.goto('/admin/audit?action=session.end')
    await row('Ended a session').first().waitFor()
    assert.equal(await row('Suspended a user').count(), 0)
    const users = Array.from({ length: 60 }, (_, index) => createDeveloper(cloud, `many${index}`))
    await Promise.all(users)
    await page.goto('/admin?q=many')
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Page 1').waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 50)
    await button('Next').click()
    await page.getByText('Page 2').waitFor()
    await page.getByRole('rowheader').nth(10).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('rowheader').count(), 10)
    await page.getByLabel('Beginning of the e-mail address').fill('many59')
    await page.getByRole('rowheader').nth(1).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0)
  })

  test('CON-18: the settings page', async () => {
    await openPart('Settings')
    await row('org.example.system').getByText('Not registered').waitFor()
    const systemApps = page.getByRole('region', { name: 'System apps' })
    assert.equal(await systemApps.getByText('system.augmentos.dashboard').count(), 0)
    const setting = (name: string) => page.locator(`#${name}`)
    await setting('APP_REVIEW').getByText('Source Environment').waitFor()
    await setting('APP_REVIEW').getByText('apps are published once').waitFor()
    await setting('AUTH_SECRET').getByText('Set', { exact: true }).waitFor()
    await setting('REST_LIMIT_PER_MINUTE').getByText('1000000').waitFor()
    await setting('PORT').getByText('Source Environment').waitFor()
    await setting('APP_START_TIMEOUT_MS').getByText('Source Default').waitFor()
    assert.equal(await page.getByText('Verborgen').count(), 0)
    await expectClean()
    await page.getByLabel('Search settings').fill('review')
    await setting('PORT').waitFor({ state: 'detached' })
    await setting('APP_REVIEW').waitFor()
    await page.waitForURL('**/admin/settings?q=review')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByLabel('Search settings').fill('')
    await setting('DATABASE_STATEMENT_TIMEOUT_MS').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('CON-18: an invitation from creation to withdrawal', async () => {
    await openPart('Invitations')
    // The page of users, which may still be shown, has a field for the beginning of an address.
    await page.getByLabel('E-mail address', { exact: true }).fill('guest@example.org')
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
