import { setUpCodeOf } from '@glasses-cloud/cloud/set-up'
import { startBrowser as startTestBrowser } from '@glasses-cloud/cloud/test/browser'
import type { Browser, BrowserContext } from 'playwright-core'
import { AUTH_SECRET } from './tokens.ts'

/** Starts the browser of the tests, which the caller closes. */
export function startBrowser(): Promise<Browser> {
  return startTestBrowser({ after() {} })
}

/** Creates the first account of a cloud, and returns a context in which it is signed in. */
export async function signIn(browser: Browser, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(`/?setup=${setUpCodeOf(AUTH_SECRET)}`)
  await page.getByLabel('E-mail address').fill('bench@example.org')
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByRole('navigation').first().waitFor()
  await page.close()
  return context
}
