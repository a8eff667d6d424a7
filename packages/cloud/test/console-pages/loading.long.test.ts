import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, openConsole } from '../support/console-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { type SpawnedCloud, spawnCloud } from '../support/test-cloud.ts'

/** Scripts and styles of a first visit to a page. */
const MAX_FILES = 15

/** Requests of a first visit to a page, of any kind. */
const MAX_REQUESTS = 22

/** First visits within a minute from one address, as of a school. */
const VISITS = 200

/** The pages with the most parts and data, and one of each part. */
const PAGES = [
  '/',
  '/welcome',
  '/glasses',
  '/glasses/mine',
  '/glasses/connect',
  '/glasses/bridge',
  '/gallery',
  '/account',
  '/account/security',
  '/developer/new',
  '/organizations',
  '/admin/health',
]

/** Opens a page in a browser that was never there, apart from its cookies, and returns the paths that it requests. */
async function visit(context: BrowserContext, path: string): Promise<string[]> {
  const requested: string[] = []
  context.on('request', (request) => requested.push(new URL(request.url()).pathname))
  // All pages are visited at the same time.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await Promise.all([
    // The part that a page loads last, by itself.
    page.waitForRequest(/\/assets\/ToastRegion-/),
    page.goto(path),
  ])
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await context.close()
  return requested
}

describe('loading of the console', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: SpawnedCloud
  let browser: Browser
  /** Of a browser with a signed-in administrator. */
  let storageState: Awaited<ReturnType<BrowserContext['storageState']>>

  before(async () => {
    ;[cloud, browser] = await Promise.all([
      spawnCloud(scope, { hasDefaultLimits: true }),
      startBrowser(scope),
    ])
    const { context, page } = await openConsole(browser, cloud.url)
    await createAdministrator(page, 'ada@example.org')
    storageState = await context.storageState()
    await context.close()
  })

  test(`CON-295 LIM-7 LIM-45: ${VISITS} first visits in a minute from one address all load`, async () => {
    const requested = await visit(await browser.newContext({ baseURL: cloud.url }), '/')
    assert.ok(requested.includes('/api/auth/options'))
    assert.ok(requested.some((path) => path.startsWith('/assets/')))
    for (let count = 1; count <= VISITS; count += 1) {
      const statuses = await Promise.all(
        requested.map(async (path) => {
          const response = await fetch(cloud.url + path)
          await response.arrayBuffer()
          return response.status
        }),
      )
      assert.deepEqual(new Set(statuses), new Set([200]), `visit ${count}`)
    }
  })

  test(`a first visit to any page loads at most ${MAX_FILES} scripts and styles, with ${MAX_REQUESTS} requests`, async () => {
    const counts = await Promise.all(
      PAGES.map(async (path) => {
        const other = await browser.newContext({ baseURL: cloud.url, storageState })
        return [path, await visit(other, path)] as const
      }),
    )
    const filesOf = (paths: string[]) => paths.filter((path) => path.startsWith('/assets/'))
    assert.deepEqual(
      counts.filter(([, paths]) => paths.length > MAX_REQUESTS || filesOf(paths).length > MAX_FILES),
      [],
    )
    assert.ok(counts.every(([, { length }]) => length > 8))
  })

  test('a page explains that a part of it cannot be loaded, and loads it again by itself', async () => {
    for (const part of ['core-*.js', 'core-*.css', 'SignInPages-*.js']) {
      const { context, page } = await openConsole(browser, cloud.url)
      await page.clock.install()
      let failures = 0
      await page.route(`**/assets/${part}`, (route) => {
        failures += 1
        return route.fulfill({ status: 429, body: '' })
      })
      await page.goto('/reset-password')
      const alert = page.getByRole('alert')
      await alert.getByText('A part of this page could not be loaded').waitFor()
      assert.ok(failures >= 2, 'it is tried again at once')
      await alert.getByText('The page is loaded again in 2 seconds.').waitFor()
      await page.clock.runFor(1_000)
      await alert.getByText('The page is loaded again in 1 second.').waitFor()
      await page.unroute(`**/assets/${part}`)
      await page.clock.runFor(1_000)
      await alert.waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
      await context.close()
    }
  })

  test('a person can try again at once, and after ten seconds it is tried at once again', async () => {
    const { context, page } = await openConsole(browser, cloud.url)
    await page.clock.install()
    await page.route('**/assets/core-*.js', (route) => route.abort())
    await page.goto('/reset-password')
    const retry = page.getByRole('button', { name: 'Try again now' })
    await retry.waitFor()
    await page.unroute('**/assets/core-*.js')
    await retry.click()
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    const failures = () => page.evaluate('sessionStorage.getItem("failed-loads")')
    assert.notEqual(await failures(), null)
    await page.clock.runFor(10_000)
    assert.equal(await failures(), null)
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate('void window.dispatchEvent(new Event("missing-part"))'),
    ])
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    assert.deepEqual([await failures(), await retry.count()], ['1', 0])
    await context.close()
  })

  test('a part that is loaded later, and no longer exists, is loaded with the page', async () => {
    const { context, page } = await openConsole(browser, cloud.url)
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await page.evaluate('window.isSamePage = true')
    let failures = 0
    await page.route('**/assets/OrganizationPages-*.js', (route) => {
      failures += 1
      return failures < 4 ? route.fulfill({ status: 404, body: '' }) : route.continue()
    })
    await page.getByRole('link', { name: 'Organizations' }).click()
    await page.getByText('A part of this page could not be loaded').waitFor()
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/organizations')
    assert.equal(await page.evaluate('window.isSamePage'), undefined)
    await context.close()
  })

  test('what a person does not wait for loads no page again', async () => {
    const { context, page } = await openConsole(browser, cloud.url)
    await page.route('**/assets/password-policy-*.js', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/sign-up')
    await page.getByLabel('E-mail address').fill('bea@example.org')
    await page.evaluate(`void (window.failed = new Promise((resolve) =>
      window.addEventListener('vite:preloadError', () => resolve())))`)
    await page.getByLabel('Password').fill('a long password')
    await page.evaluate('window.failed')
    assert.equal(await page.evaluate('sessionStorage.getItem("failed-loads")'), null)
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'bea@example.org')
    await context.close()
  })

  test('a page whose scripts do not arrive says so after some seconds', async () => {
    const { context, page } = await openConsole(browser, cloud.url)
    // Never answered.
    await page.route('**/assets/core-*.js', () => {})
    await page.goto('/', { waitUntil: 'commit' })
    const late = page.getByText('The console is still loading.')
    await late.waitFor({ state: 'attached' })
    assert.equal(await late.isVisible(), false)
    await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())')
    assert.equal(await late.isVisible(), true)
    await context.close()
  })
})
