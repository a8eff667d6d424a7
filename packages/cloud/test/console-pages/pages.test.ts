import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { contentOf, findBarriers, openConsole, SET_UP_PAGE, setSwitch } from '../support/console-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'

/** Pages about something that does not exist. */
const UNKNOWN = [
  { path: '/store/no.such.app', heading: 'App not found', back: 'Apps' },
  { path: '/developer/apps/no.such.app', heading: 'App not found', back: 'Developer' },
  { path: '/organizations/no-such-organization', heading: 'Organization not found', back: 'Organizations' },
]

describe('console in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    cloud = await spawnCloud(scope)
    browser = await startBrowser(scope)
    ;({ context, page, problems } = await openConsole(browser, cloud.url))
    await cloud.registerApp({
      packageName: 'com.example.notes',
      name: 'Notes',
      description: 'Writes down what you say',
      permissions: [{ type: 'MICROPHONE', description: 'to hear your notes' }],
    })
  })

  /** Expects the page to be accessible and to have caused no error. */
  async function expectClean() {
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(problems.splice(0), [])
  }

  test('CON-18 CON-118: a new cloud leads to the account of its administrator', async () => {
    await page.goto(SET_UP_PAGE)
    await page.getByRole('heading', { name: 'Set up Glasses Cloud' }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    assert.match(await page.getByLabel('Set-up code').inputValue(), /^.{4}-.{4}-.{4}$/)
    await expectClean()
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Apps', exact: true }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    const user = (await cloud.request<{ user: unknown }>('GET', '/api/auth/options')).body
    assert.equal((user as unknown as { isSetUp: boolean }).isSetUp, true)
  })

  test('CON-11: cookies and storage after signing in', async () => {
    const cookies = await context.cookies()
    assert.ok(
      cookies.some(({ name, httpOnly, sameSite }) => /session/.test(name) && httpOnly && sameSite === 'Lax'),
    )
    assert.equal(await page.evaluate('document.cookie'), '')
    assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), [])
  })

  test('CON-12 CON-18: the store shows, filters and installs apps', async () => {
    const card = page.getByRole('article', { name: 'Notes' })
    await card.waitFor()
    await expectClean()
    await page.getByLabel('Search apps').fill('nothing like it')
    await page.getByRole('heading', { name: 'No app matches' }).waitFor()
    await page.getByLabel('Search apps').fill('notes')
    await card.getByRole('button', { name: 'Install Notes' }).click()
    await card.getByRole('button', { name: 'Start Notes' }).waitFor()
    const { body } = await cloud.request<{ data: { packageName: string }[] }>('GET', '/api/apps/installed', {
      token: await cloud.token('ada@example.org'),
    })
    assert.ok(body.data.some(({ packageName }) => packageName === 'com.example.notes'))
  })

  test('an app that does not start says why and what to do, until that was done', async (t) => {
    const card = page.getByRole('article', { name: 'Notes' })
    await card.getByRole('button', { name: 'Start Notes' }).click()
    await card.getByRole('alert').getByText('No glasses are connected').waitFor()
    // The browser itself reports the status.
    assert.match(problems.splice(0).join(), /401/)
    const token = await cloud.token('ada@example.org')
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await card.getByRole('alert').waitFor({ state: 'detached' })
  })

  test('CON-297: what another device changed is on a page that is opened again, or come back to', async () => {
    const token = await cloud.token('ada@example.org')
    const create = (name: string) =>
      cloud.request('POST', '/api/console/orgs', { token, body: { slug: name.toLowerCase(), name } })
    const open = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await open('Organizations')
    await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
    await open('Apps')
    await create('First')
    await open('Organizations')
    await page.getByRole('link', { name: 'First' }).waitFor()
    await create('Second')
    // As a browser does when its window is shown again.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await page.getByRole('link', { name: 'Second' }).waitFor()
    await open('Apps')
  })

  test('CON-18: the page of an app explains its permissions, and uninstalls it after a question', async () => {
    await page.getByRole('link', { name: 'Notes' }).click()
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor()
    await page.getByText('Hears what is said near you').waitFor()
    await page.getByText('to hear your notes').waitFor()
    await expectClean()
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const question = page.getByRole('alertdialog', { name: 'Uninstall Notes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Uninstall' }).click()
    await question.getByRole('button', { name: 'Uninstall' }).click()
    await page.getByRole('button', { name: 'Install Notes' }).waitFor()
  })

  test('CON-18: profile, privacy and an export', async () => {
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile saved').first().waitFor()
    await setSwitch(page, 'Share usage data', true)
    await page.getByText('Privacy settings saved').first().waitFor()
    await expectClean()
    const token = await cloud.token('ada@example.org')
    const { body: me } = await cloud.request<{ name: string }>('GET', '/api/account/me', { token })
    const { body: privacy } = await cloud.request<{ shareUsageData: boolean }>(
      'GET',
      '/api/account/privacy',
      { token },
    )
    assert.deepEqual([me.name, privacy.shareUsageData], ['Ada Lovelace', true])

    await page.getByRole('link', { name: 'Your data' }).click()
    await page.getByRole('button', { name: 'Prepare the file' }).click()
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await page.reload()
    await page.getByText('JSON, for programs, requested').waitFor()
    await expectClean()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const content = String(await contentOf(download))
    assert.equal(JSON.parse(content).user?.email ?? 'ada@example.org', 'ada@example.org')
  })

  test('CON-18: an empty gallery says how photos get there', async () => {
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByRole('heading', { name: 'No photos yet' }).waitFor()
    await expectClean()
  })

  test('CON-212 CON-18: search finds pages, apps, users, settings and help with the keyboard', async () => {
    await page.goto('/gallery')
    const field = page.getByRole('searchbox', { name: 'Search for pages, apps and help' })
    const found = (title: string) => page.getByRole('menuitem', { name: title })
    const open = async (text: string, title: string) => {
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await field.fill(text)
      await found(title).first().waitFor()
      await page.keyboard.press('Enter')
      await field.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await found('Apps').first().waitFor()
    await expectClean()
    await field.fill('no such thing')
    await page.getByText('Nothing matches “no such thing”').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Search', exact: true }).and(page.locator(':focus')).waitFor()
    await open('notes', 'Notes')
    await page.waitForURL('**/store/com.example.notes')
    await open('ada@', 'ada@example.org')
    await page.waitForURL('**/admin?q=ada%40example.org')
    await open('PUBLIC_U', 'PUBLIC_URL')
    await page.waitForURL('**/admin/settings?q=PUBLIC_URL')
    await open('fingerprint', 'Sign in with a fingerprint or face')
    await page.waitForURL('**/account/security')
    assert.deepEqual(await page.evaluate('[Object.keys(localStorage), Object.keys(sessionStorage).join()]'), [
      [],
      await page.evaluate('Object.keys(sessionStorage).filter((key) => key.startsWith("tsr-")).join()'),
    ])
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-211: a link while signed out, and an unknown page', async () => {
    await page.getByRole('button', { name: 'Menu of ada@example.org' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expectClean()
    await page.goto('/account')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    problems.splice(0)
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await page.goto('/store/a/b/c')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    for (const { path, heading, back } of UNKNOWN) {
      await page.goto(path)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: back }).waitFor()
    }
    assert.equal((await page.goto('/stroe'))?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.match(String(problems.splice(0)), /404/)
  })
})
