import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { systemClock } from '@glasses-cloud/phone'
import { EvenG2, SignedInPhone } from '@glasses-cloud/phone/even-hub'
import { FakeEvenBridge } from '@glasses-cloud/phone/test/fake-even-bridge'
import type { Browser, Page } from 'playwright-core'
import { browserMissing } from '../support/browser.ts'
import { createAdministrator, findBarriers, openConsole } from '../support/console-rig.ts'
import { installCaptions, openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { suiteScope } from '../support/scope.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

describe('the page that connects glasses', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let browser: Browser
  let page: Page
  let problems: string[]

  before(async () => {
    ;({ cloud, browser, page, problems } = await openGlassesConsole(scope))
    await installCaptions(scope, { cloud, page })
  })

  const choose = (name: RegExp) => page.getByRole('radio', { name }).check()
  const step = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  /** Waits until a step has a state, by the name of its picture. */
  const isStep = (title: string, state: string) =>
    step(title).getByRole('img', { name: state, exact: true }).waitFor()
  const testAddress = () => page.getByRole('textbox', { name: 'Page that tests the connection' }).inputValue()
  /** A browser of its own, which is not signed in. */
  const openPhone = () => openConsole(browser, cloud.url)

  test('CON-270 CON-271: the way to an Even G2 starts at a choice, which is part of the address', async () => {
    await page.goto('/welcome')
    await page.getByRole('main').getByRole('link', { name: 'Connect your glasses' }).click()
    await page.getByRole('group', { name: 'What do you have?' }).waitFor()
    assert.equal(await page.getByRole('list', { name: 'Steps' }).count(), 0)
    await choose(/^Even G2/)
    await page.waitForURL('**/glasses/connect?glasses=g2')
    await step('The address of this cloud').getByText('Your phone cannot reach this address').waitFor()
    await page.getByRole('img', { name: 'QR code with the page for the Even app' }).waitFor()
    const evenPage = page.getByRole('textbox', { name: 'Page for the Even app' })
    assert.equal(await evenPage.inputValue(), `${cloud.url}/glasses/even`)
    await isStep('Your phone reaches it', 'Waiting')
    await page.getByRole('img', { name: 'QR code with the page that tests the connection' }).waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-275 CON-276 CON-18: a phone that opens the page of the code needs no sign-in, and the page says so', async () => {
    const address = await testAddress()
    const { context, page: phone, problems: phoneProblems } = await openPhone()
    const response = await phone.request.get(address)
    assert.match(response.headers()['content-security-policy'] ?? '', /frame-ancestors 'none'/)
    assert.doesNotMatch(await response.text(), /ada@/)
    await phone.goto(address)
    await phone.getByRole('heading', { name: 'This device reaches the cloud' }).waitFor()
    await phone.getByText('The page that showed the code knows it now').waitFor()
    assert.equal(phone.url(), `${cloud.url}/glasses/reach`, 'the history does not keep the code')
    assert.deepEqual(await context.cookies(), [])
    assert.deepEqual(await findBarriers(phone, { onPhone: true, themes: [] }), [])
    await isStep('Your phone reaches it', 'Done')
    await phone.reload()
    await phone.getByText('To tell another page so, scan its code again.').waitFor()
    assert.deepEqual(phoneProblems.splice(0), [])
    await phone.goto(`${address}&x=%3Cimg%20src=x%3E`)
    await phone.getByText('the code was used already, or has expired').waitFor()
    assert.equal(await phone.locator('img').count(), 0)
    await context.close()
  })

  test('CON-275: whoever only loads the page, as previews of links do, reports nothing', async (t) => {
    await page.reload()
    const address = await testAddress()
    const context = await browser.newContext({ javaScriptEnabled: false })
    t.after(() => context.close())
    const preview = await context.newPage()
    await preview.goto(address)
    await preview.getByRole('heading', { name: 'This device reaches the cloud' }).waitFor()
    const token = await cloud.token(WEARER)
    const body = { code: address.split('code=')[1] }
    const result = await cloud.request('POST', '/api/reachability-tests/result', { token, body })
    assert.deepEqual(result.body, { state: 'waiting' })
  })

  test('CON-276: an expired code is replaced', async () => {
    const before = await testAddress()
    await cloud.operator.db
      .updateTable('verifications')
      .set({ expires_at: Date.now() - 1 })
      .execute()
    await page.getByText('The code has expired.').waitFor()
    await page.getByRole('button', { name: 'Show a new code' }).click()
    await isStep('Your phone reaches it', 'Waiting')
    assert.notEqual(await testAddress(), before)
  })

  test('sign-in, connection and words of an Even G2 are shown the moment they happen', async (t) => {
    const bridge = new FakeEvenBridge(systemClock)
    let stored = ''
    const phone = new SignedInPhone(new EvenG2(bridge), {
      url: cloud.url,
      clientName: 'Even G2',
      storage: {
        load: async () => stored,
        save: async (text) => {
          stored = text
        },
      },
    })
    t.after(() => phone.stop())
    await isStep('Sign in', 'Waiting')
    await isStep('Glasses connected', 'Waiting')
    const enter = async (code: string) => {
      await page.getByLabel('Code', { exact: true }).fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    const stranger = await cloud.request<{ user_code: string }>('POST', '/api/auth/device', { body: {} })
    await enter(stranger.body.user_code)
    await page.getByRole('button', { name: 'Reject' }).click()
    await step('Sign in').getByText('The sign-in was rejected').waitFor()
    phone.start()
    while (phone.state.kind !== 'code') await once(phone, 'state')
    await enter(phone.state.userCode)
    await page.getByText(`Sign in Even G2 as ${WEARER}?`).waitFor()
    await page.getByRole('button', { name: 'Sign in the device' }).click()
    await isStep('Sign in', 'Done')
    await isStep('Glasses connected', 'Done')
    await page.getByText('Even Realities G2 are connected').waitFor()
    await page.getByText('Start an app below').waitFor()
    await page.getByRole('button', { name: 'Start Captions' }).click()
    await page.getByText('Captions runs. Look at the lens.').waitFor()
    await waitFor(
      'words on the lens',
      () => bridge.lines?.join(' ').includes('Ready. Say something.') === true,
    )
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-270: each of the other answers leads on', async () => {
    const main = page.getByRole('main')
    await choose(/^Even G1/)
    await step('A browser with Bluetooth').getByText('This browser has no Bluetooth for pages').waitFor()
    await main.getByRole('link', { name: 'Open My glasses' }).waitFor()
    await page.getByRole('img', { name: 'QR code with the page that tests the connection' }).waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true, themes: ['light'] }), [])
    await choose(/^An own build/)
    for (const name of ['EXPO_PUBLIC_BACKEND_URL_OVERRIDE', 'EXPO_PUBLIC_SUPABASE_URL'])
      assert.equal(await page.getByRole('textbox', { name }).inputValue(), cloud.url)
    assert.deepEqual(await findBarriers(page, { onPhone: true, themes: ['light'] }), [])
    await choose(/^Other glasses/)
    await main.getByRole('link', { name: 'Show the code for the Mentra app' }).waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true, themes: ['light'] }), [])
    await choose(/^No glasses/)
    await main.getByRole('link', { name: 'Wear simulated glasses' }).click()
    await page.waitForURL('**/glasses')
    assert.deepEqual(problems.splice(0), [])
  })

  test('CON-271: with Bluetooth here, and another public address', async (t) => {
    const publicUrl = 'http://glasses.example.test:8080'
    const other = await spawnCloud(t, { env: { PUBLIC_URL: publicUrl } })
    const { context, page: there } = await openConsole(browser, other.localUrl)
    t.after(() => context.close())
    await context.addInitScript("Object.defineProperty(navigator, 'bluetooth', { value: {} })")
    await createAdministrator(there, WEARER)
    await there.goto('/glasses/connect?glasses=frame')
    await there.getByText('This browser lets pages use Bluetooth').waitFor()
    await there.getByRole('heading', { name: 'With a phone or another computer' }).waitFor()
    await there.getByText(`${publicUrl}, without encryption`).waitFor()
    const field = there.getByRole('textbox', { name: 'Page that tests the connection' })
    assert.match(await field.inputValue(), new RegExp(`^${publicUrl}/glasses/reach#code=`))
    await there.route('**/api/reachability-tests', async (route) => {
      const response = await route.fetch()
      const json = { ...(await response.json()), publicUrl: 'https://glasses.example.test/' }
      await route.fulfill({ response, json })
    })
    await there.reload()
    await there.getByText('https://glasses.example.test, with HTTPS').waitFor()
    assert.match(await field.inputValue(), /^https:\/\/glasses\.example\.test\/glasses\/reach#code=/)
  })
})
