import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, Download, Locator, Page } from 'playwright-core'
import { setUpCodeOf } from '../../src/features/auth/index.ts'
import { testSecret } from './test-cloud.ts'

/** The page that the link of the set-up leads to, for a cloud with a secret. */
const setUpPageOf = (secret: string) => `/?setup=${setUpCodeOf(secret)}`

/** The page that the link of the set-up leads to, for test clouds. */
export const SET_UP_PAGE = setUpPageOf(testSecret)

/** Time in which a page must show something, on a machine that is busy. */
const PAGE_TIMEOUT_MS = 20_000

/** Opens a browser with its own cookies, and records what must not happen: errors, and requests to other hosts. */
export async function openConsole(browser: Browser, url: string) {
  // Requests of service workers could not be intercepted; the installed console has its own tests.
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  const problems: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== url && !['data:', 'blob:'].includes(protocol)) problems.push(`request to ${origin}`)
  })
  return { context, page: await context.newPage(), problems }
}

/** A phone held upright, in CSS pixels. */
const PHONE = { width: 360, height: 740 }

/** Which rules axe applies. */
interface Rules {
  readonly type: 'tag' | 'rule'
  readonly values: readonly string[]
}

const ALL_RULES: Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
const COLOR_RULES: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/**
 * Finds violations of WCAG 2.2 AA on the page.
 * @param onPhone whether also at the width of a phone
 * @param themes both by default; one suffices for parts of a page that was checked in both
 */
export async function findBarriers(
  page: Page,
  { onPhone = false, themes = ['light', 'dark'] as readonly ('light' | 'dark')[] } = {},
): Promise<unknown[]> {
  const found: unknown[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor({ state: 'attached' })
    // The themes differ in nothing but colors.
    const rules = colorScheme === themes[0] ? ALL_RULES : COLOR_RULES
    found.push(...(await violations(page, rules)).map((violation) => ({ colorScheme, ...violation })))
  }
  const viewport = page.viewportSize()
  if (!onPhone || viewport === null) return found
  await resize(page, PHONE)
  found.push(...(await violations(page, ALL_RULES)).map((violation) => ({ onPhone, ...violation })))
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (width > PHONE.width) found.push({ id: 'reflow', width })
  await resize(page, viewport)
  return found
}

/** Sets the size of the page, and waits until the page has its layout for it. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  // The frame after the one in which the page learned of its size.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

async function violations(page: Page, runOnly: Rules): Promise<{ id: string; html: string[] }[]> {
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map((each) => each.finished)).then(() => {})',
  )
  // Evaluated by the debugger, so that the policy of the page does not apply.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source)
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    }
    const { violations } = await axe.run({ runOnly: rules })
    return violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))
  }, runOnly)
}

/** Reads a file that a page offers for download. The browser may run elsewhere, so it has no path here. */
export async function contentOf(download: Promise<Download> | Download): Promise<Buffer> {
  const stream = await (await download).createReadStream()
  return Buffer.concat(await stream.toArray())
}

/** Sets the switch whose label begins with `name`; with the keyboard, because the page may move under a mouse. */
export async function setSwitch(place: Page | Locator, name: string, checked: boolean): Promise<void> {
  const find = (isChecked: boolean) =>
    place.getByRole('switch', { name: new RegExp(`^${name}`), checked: isChecked, disabled: false })
  await find(!checked).press('Space')
  await find(checked).waitFor({ state: 'attached' })
}

/** Creates the first account of a cloud, which is signed in afterwards, and opens the store. */
export async function createAdministrator(page: Page, email: string, secret = testSecret): Promise<void> {
  await page.goto(setUpPageOf(secret))
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Apps', exact: true }).click()
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor()
}

/**
 * Waits until an expression is true in the page. `waitForFunction` evaluates texts in the page again and again, which the
 * policy of the console forbids.
 */
export async function waitUntilTrue(page: Page, expression: string): Promise<void> {
  const isTrue = await page.evaluate<boolean>(
    `new Promise((resolve) => {
       const deadline = performance.now() + 20_000
       const check = () => {
         if (${expression}) resolve(true)
         else if (performance.now() > deadline) resolve(false)
         else requestAnimationFrame(check)
       }
       check()
     })`,
  )
  assert.ok(isTrue, expression)
}
