import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole, SET_UP_PAGE } from '../support/console-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const email = 'ada@example.org'
const packageName = 'com.example.notes'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** All pages for an administrator, of which the first is open at the start. */
const PAGES = [
  '/store',
  '/welcome',
  `/store/${packageName}`,
  '/glasses',
  '/glasses/connect',
  '/gallery',
  '/developer',
  '/developer/new',
  '/developer/first-app',
  ...['', '/edit', '/keys', '/connection', '/log', '/usage', '/first-app'].map(
    (part) => `/developer/apps/${packageName}${part}`,
  ),
  '/organizations',
  '/organizations/lab',
  '/join',
  ...['', '/security', '/sessions', '/data'].map((part) => `/account${part}`),
  ...['', '/review', '/sessions', '/health', '/reports', '/audit', '/settings', '/invitations'].map(
    (part) => `/admin${part}`,
  ),
]

/** Keys, of which those that follow a link count as well, until a newcomer has reached the first useful action. */
const MAX_KEYS = 10

/** Pages that the main navigation does not have. */
const OUTSIDE_NAVIGATION: ReadonlySet<string> = new Set(['/welcome', '/join'])

type Box = Awaited<ReturnType<Locator['boundingBox']>>

/** Whether all of an element is on the screen of the phone. */
const isInSight = (box: Box) =>
  box !== null &&
  box.x >= 0 &&
  box.x + box.width <= PHONE.width &&
  box.y >= 0 &&
  box.y + box.height <= PHONE.height

describe('frame of the console in a browser', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let page: Page
  let problems: string[]

  before(async () => {
    cloud = await spawnCloud(scope)
    browser = await startBrowser(scope)
    ;({ page, problems } = await openConsole(browser, cloud.url))
    await cloud.registerApp({ packageName, name: 'Notes', description: 'Writes', developerId: email })
    await page.goto(SET_UP_PAGE)
    await createAdministrator(page, email)
    const token = await cloud.token(email)
    await cloud.request('POST', '/api/console/orgs', { token, body: { slug: 'lab', name: 'Glasses Lab' } })
  })

  /** Opens a page as a link does, and waits for its heading. */
  async function follow(path: string) {
    await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
    await page.waitForURL((url) => url.pathname === path)
    await page.locator('#content h1').waitFor()
    await until(`!document.body.textContent.includes('Loading…')`)
  }

  /** Waits until an expression is true on the page. */
  const until = (expression: string) => waitFor(expression, () => page.evaluate<boolean>(expression), 20_000)

  /** What has the focus. */
  const focused = () =>
    page.evaluate<string>(
      `document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText`,
    )

  async function press(...keys: readonly string[]) {
    for (const key of keys) await page.keyboard.press(key)
  }

  test('on a phone, every page has its own title and shows where it is', async () => {
    await page.setViewportSize(PHONE)
    await page.goto('/store')
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor()
    const titles = new Set<string>()
    for (const path of PAGES) {
      await follow(path)
      await until(`!${JSON.stringify([...titles])}.includes(document.title)`)
      titles.add(await page.title())
      const current = page.locator('#content nav [aria-current], nav#navigation [aria-current]')
      await waitFor(`the current entry of ${path} in sight`, async () => {
        const boxes = await Promise.all((await current.all()).map((each) => each.boundingBox()))
        return (boxes.length > 0 || OUTSIDE_NAVIGATION.has(path)) && boxes.every(isInSight)
      })
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.equal(width, PHONE.width, `${path} is too wide`)
    }
    assert.equal(titles.size, PAGES.length)
    for (const title of titles) assert.match(title, /^.+ · Glasses Cloud$/)
  })

  test('the current entry stays in sight when the data of its page arrives late', async () => {
    await page.goto('/account/security')
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    const parts = page.locator('#content nav')
    const current = parts.locator('[aria-current]')
    const inSight = (name: string) =>
      waitFor(
        `${name} in sight`,
        async () => (await current.textContent()) === name && isInSight(await current.boundingBox()),
      )
    await inSight('Sign-in')
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/account/exports', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await page.evaluate(`history.pushState({}, '', '/account/data')`)
    await inSight('Your data')
    answer()
    await page.getByRole('heading', { name: 'Delete the account', level: 2 }).waitFor()
    await inSight('Your data')
  })

  test('CON-18: on a phone, the pages that do not fit the bar are in a drawer', async () => {
    await follow('/store')
    await page.getByRole('button', { name: 'More' }).click()
    const drawer = page.getByRole('dialog', { name: 'More pages' })
    await drawer.getByRole('link', { name: 'Administration' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await drawer.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await drawer.waitFor({ state: 'detached' })
    await until(`document.activeElement?.tagName === 'H1'`)
    await page.setViewportSize(DESKTOP)
    await page.getByRole('link', { name: 'Administration' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'More' }).count(), 0)
  })

  test('a page that is opened by a link takes the focus and is announced; going back restores the scroll', async () => {
    await page.setViewportSize({ ...DESKTOP, height: 300 })
    await follow('/account')
    await page.mouse.wheel(0, 200)
    await until('window.scrollY === 200')
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByRole('heading', { name: 'Gallery', level: 1 }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Gallery · Glasses Cloud' }).waitFor()
    assert.equal(await focused(), 'Gallery')
    assert.equal(await page.evaluate('window.scrollY'), 0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    await until('window.scrollY === 200')
    await page.setViewportSize(DESKTOP)
  })

  test('a click on the navigation is answered before the page is rendered', async () => {
    await page.goto('/store')
    const open = async (name: string) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    // Both pages and their data are loaded, so that neither waits for anything else.
    for (const name of ['Gallery', 'Apps']) await open(name)
    await page.evaluate(`{
      globalThis.shown = []
      const content = document.getElementById('content')
      new MutationObserver(() => shown.push(content.querySelector('h1')?.textContent ?? 'placeholder'))
        .observe(content, { childList: true, subtree: true })
    }`)
    await open('Gallery')
    const shown = await page.evaluate<string[]>('[...new Set(shown)]')
    assert.deepEqual(shown.slice(-2), ['placeholder', 'Gallery'])
  })

  test('the first keys of a page skip to its content or to the navigation', async () => {
    await page.goto('/developer')
    await page.getByRole('heading', { name: 'Developer', level: 1 }).waitFor()
    await press('Tab')
    assert.equal(await focused(), 'Skip to content')
    await press('Enter', 'Tab')
    assert.equal(await focused(), 'Your first app')
    assert.equal(new URL(page.url()).hash, '')
    await page.reload()
    await page.getByRole('heading', { name: 'Developer', level: 1 }).waitFor()
    await press('Tab', 'Tab')
    assert.equal(await focused(), 'Skip to navigation')
    await press('Enter', 'Tab')
    assert.equal(await focused(), 'Apps')
  })

  /** Presses Tab until an element with the name has the focus; Enter follows the links that skip something. */
  async function countKeys(path: string, heading: string, name: RegExp, skip: RegExp) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await until(`!document.body.textContent.includes('Loading…')`)
    for (let keys = 1; keys <= MAX_KEYS; keys++) {
      await press('Tab')
      const text = await focused()
      if (name.test(text)) return keys
      if (!skip.test(text)) continue
      await press('Enter')
      keys++
    }
    return undefined
  }

  test('a newcomer reaches the first useful action of apps and glasses with few keys', async () => {
    const skip = /^Skip to (content|the apps)/
    assert.ok(await countKeys('/store', 'Apps', /^Install Notes/, skip))
    assert.ok(await countKeys('/glasses', 'Glasses', /^Put on/, skip))
  })

  test('CON-18: shortcuts lead to pages and to the search, are listed, and can be switched off', async () => {
    await follow('/developer')
    await press('g', 'a')
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await until(`document.activeElement?.tagName === 'H1'`)
    await press('/')
    await page.keyboard.type('g?')
    assert.equal(await page.getByRole('searchbox').first().inputValue(), 'g?')
    await press('Escape')
    await page.getByRole('heading', { name: 'Apps', level: 1 }).focus()
    await press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByText('Go to Administration').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('switch').press('Space')
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
    await press('?', 'g', 'd')
    await page.getByRole('button', { name: `Menu of ${email}` }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await dialog.getByRole('switch', { checked: false }).press('Space')
    await press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/store')
    await press('g', 'o')
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor()
    await press('/')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a form with errors leads to the first field, and its list names fields as the form does', async () => {
    await page.goto('/developer/new')
    const submit = page.getByRole('button', { name: 'Create the app' })
    await page.getByLabel('Address of the app server').fill('localhost')
    await page.getByRole('button', { name: 'Add a tool' }).click()
    await submit.click()
    const name = page.getByLabel('Name', { exact: true })
    await until(`document.activeElement?.getAttribute('aria-invalid') === 'true'`)
    assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Name')
    const box = await name.boundingBox()
    assert.ok(box !== null && box.y > 0 && box.y < DESKTOP.height, JSON.stringify(box))
    const list = page.getByRole('alert').getByRole('listitem')
    await list.filter({ hasText: 'Address of the app server: Must be the URL' }).waitFor()
    await name.fill('Notes')
    await page.getByLabel('Package name').fill('com.example.more')
    await page.getByLabel('Address of the app server').fill('https://notes.example.org')
    await submit.click()
    await until(`document.activeElement?.labels?.[0]?.textContent === 'Id'`)
    await list.filter({ hasText: /^tool 1, Id: Must / }).waitFor()
  })

  test('in a narrow place the rows of a table are labeled blocks, and a table for screen readers', async () => {
    await page.setViewportSize(PHONE)
    await follow(`/developer/apps/${packageName}/keys`)
    const row = page.getByRole('row').nth(1)
    const [button, table] = [row.getByRole('button', { name: /^Revoke/ }), page.getByRole('table')]
    const [inside, around] = [await button.boundingBox(), await table.boundingBox()]
    assert.ok(inside !== null && around !== null)
    assert.ok(inside.x + inside.width <= PHONE.width, 'the button is out of sight')
    const label = `getComputedStyle(document.querySelector('tbody td'), '::before').content`
    assert.match(await page.evaluate<string>(label), /Made/)
    assert.equal(await page.getByRole('columnheader').count(), await row.locator('th, td').count())
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual(problems.splice(0), [])
  })
})
