import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserMissing } from '../support/browser.ts'
import { openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { suiteScope } from '../support/scope.ts'

/** A browser that denies storage, opened by http in a local network, on a system whose locale is called `en-US@posix`. */
const ODD_BROWSER = `
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })
  delete Crypto.prototype.randomUUID
  Object.defineProperty(navigator, 'languages', { value: ['en-US@posix'] })
`

/** Replaces the texts of the page as the translation of Chrome does. */
const TRANSLATE = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('script, style, noscript')) texts.push(walker.currentNode)
  for (const text of texts) {
    const font = document.createElement('font')
    font.append(document.createElement('font'))
    font.firstChild.textContent = '«' + text.data + '»'
    text.replaceWith(font)
  }
}`

describe('browsers as they are', { skip: browserMissing }, () => {
  const scope = suiteScope()

  test('CON-298: without storage, https or a language that is one, the console works', async () => {
    const { page, problems } = await openGlassesConsole(scope, { script: ODD_BROWSER })
    await page.goto('/glasses')
    await page.getByRole('button', { name: 'Put on', exact: true }).click()
    await page.getByText('Worn', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Phone' }).click()
    await page.getByLabel('Title').fill('Lunch')
    await page.getByRole('button', { name: 'Send the notification' }).click()
    await page.getByRole('list', { name: 'Sent notifications' }).getByText('Lunch').first().waitFor()
    await page.getByRole('button', { name: 'Send the event' }).click()
    await page.getByText('The event was sent').waitFor()
    assert.deepEqual(problems, [])
  })

  test('CON-298: a browser that keeps no cookies is told so', async () => {
    const { cloud, context, page } = await openGlassesConsole(scope)
    await context.clearCookies()
    await page.route('**/sign-in/email', async (route) => {
      const body = route.request().postData()
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(route.request().url(), { method: 'POST', headers, body })
      await route.fulfill({ status: response.status, body: await response.text() })
    })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill(WEARER)
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('The browser did not keep the sign-in').waitFor()
    assert.ok(page.url().startsWith(`${cloud.url}/sign-in`))
  })

  test('CON-298: a page that the browser has translated goes on', async () => {
    const { cloud, context, page, problems } = await openGlassesConsole(scope)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const body = { packageName: 'dev.ada.keys', name: 'Keys', publicUrl: 'http://127.0.0.1:9' }
    await cloud.request('POST', '/api/console/apps', { token: await cloud.token(WEARER), body })
    await page.goto('/developer/apps/dev.ada.keys/keys')
    await page.getByRole('button', { name: 'Make a new key' }).click()
    const copy = page.getByRole('button', { name: /Copy/ }).first()
    await copy.waitFor()
    const key = await page.getByRole('textbox').first().inputValue()
    await page.evaluate(TRANSLATE)
    await copy.click()
    await page.getByText('Copied').first().waitFor()
    assert.equal(await page.getByRole('textbox').first().inputValue(), key)
    assert.deepEqual(problems, [])
  })
})
