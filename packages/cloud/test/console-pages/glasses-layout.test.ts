import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { browserMissing } from '../support/browser.ts'
import { findBarriers, waitUntilTrue } from '../support/console-rig.ts'
import { openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { galleryOf } from '../support/photo-app.ts'
import { suiteScope } from '../support/scope.ts'
import type { TestCloud } from '../support/test-cloud.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONES = [
  { width: 390, height: 844 },
  { width: 360, height: 740 },
] as const

describe('the page of the glasses', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    const options = { env: { SAMPLE_APP: 'on' } }
    ;({ cloud, context, page, problems } = await openGlassesConsole(scope, options))
  })

  const lens = () => page.getByRole('region', { name: 'Lens' })
  const field = () => page.getByLabel('What you say')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const isWorn = () => page.getByText('Worn', { exact: true }).waitFor()
  const isOff = () => button('Put on').waitFor()

  /** Asserts that elements are on the first screen, below and above the bars of the console. */
  async function assertInSight(...elements: Locator[]): Promise<void> {
    const size = page.viewportSize()
    assert.ok(size)
    const bars = await page.evaluate<[number, number]>(
      `(() => {
         const top = document.querySelector('header')?.getBoundingClientRect()
         const bottom = [...document.querySelectorAll('nav')]
           .map((bar) => bar.getBoundingClientRect())
           .find(({ top, width }) => width === innerWidth && top > innerHeight / 2)
         return [top && top.top <= 0 ? top.bottom : 0, bottom?.height ? bottom.top : innerHeight]
       })()`,
    )
    for (const element of elements) {
      const box = await element.boundingBox()
      assert.ok(box, `${element} has no box`)
      const place = JSON.stringify({ element: String(element), box, bars, size })
      assert.ok(box.y >= bars[0] - 1 && box.y + box.height <= bars[1] + 1, place)
      assert.ok(box.x >= 0 && box.x + box.width <= size.width, place)
    }
  }

  test('CON-150 CON-18: lens, next step and field fit the screen of a phone, also below notices', async () => {
    // The page tells a user with an unconfirmed address so.
    await cloud.operator.db.updateTable('users').set({ email_verified: 0 }).execute()
    // Fingers need larger buttons.
    const devTools = await context.newCDPSession(page)
    await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.goto('/glasses')
    await page.getByText('E-mail address not confirmed').waitFor()
    assert.equal(await page.evaluate(`matchMedia('(pointer: coarse)').matches`), true)
    await lens().getByText('Put the glasses on').waitFor()
    for (const size of PHONES) {
      await page.setViewportSize(size)
      await assertInSight(lens(), button('Put on'), field(), button('Speak'))
    }
    assert.deepEqual(await findBarriers(page), [])
    await button('Put on').click()
    await lens().getByText('Install an app').waitFor()
    await page.getByText('Put on: in progress').waitFor({ state: 'attached' })
    assert.deepEqual(await findBarriers(page), [])
    await assertInSight(lens(), button('Install Captions'), field())
    await button('Install Captions').click()
    await lens().getByText('Start an app').waitFor()
    for (const size of PHONES) {
      await page.setViewportSize(size)
      await assertInSight(lens(), button('Start Captions'), field(), button('Speak'))
    }
    const unheard = page.getByText('No app listens to words that the phone recognizes')
    await field().fill('too early')
    await button('Speak').click()
    await unheard.waitFor()
    await button('Start Captions').click()
    await page.getByText('An app listens to words').waitFor()
    await unheard.waitFor({ state: 'detached' })
    await assertInSight(lens(), button('Stop Captions'), field())
    // The lens says what was done; a message would cover the field.
    assert.equal(await page.getByRole('alertdialog').count(), 0)
    await page.getByRole('tab', { name: 'Frames' }).click()
    await page.getByRole('tabpanel', { name: 'Frames' }).locator('> *').first().waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
  })

  test('in a window of 320 pixels, no name of a tool is broken', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    const lines = await page.evaluate<Record<string, number>>(
      `Object.fromEntries([...document.querySelectorAll('[aria-label="Tools"] [role="tab"]')].map((tab) => {
         const range = document.createRange()
         range.selectNode([...tab.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE))
         return [tab.textContent, range.getClientRects().length]
       }))`,
    )
    assert.equal(Object.keys(lines).length, 10)
    assert.deepEqual(
      Object.entries(lines).filter(([, count]) => count !== 1),
      [],
    )
    await page.setViewportSize(PHONES[0])
  })

  test('lens and field are in sight above an on-screen keyboard', async () => {
    await page.setViewportSize(PHONES[0])
    await page.evaluate('scrollTo(0, 0)')
    await field().focus()
    await page.setViewportSize({ width: 390, height: 420 })
    const glass = lens().locator('[aria-live]')
    await waitUntilTrue(
      page,
      `document.querySelector('[aria-label="Lens"]').getBoundingClientRect().top < innerHeight / 4`,
    )
    await assertInSight(glass, field(), button('Speak'))
    await field().fill('typed on a phone')
    await button('Speak').click()
    await glass.getByText('typed on a phone').waitFor()
    await assertInSight(glass, field())
    await page.setViewportSize(DESKTOP)
  })

  test('CON-153 CON-11: worn glasses are put on again after a reload, also on other pages; taken off they stay off', async () => {
    await page.reload()
    await isWorn()
    await lens().getByText('typed on a phone').waitFor()
    const socket = page.waitForEvent('websocket', (each) => each.url().includes('/glasses-ws'))
    await page.goto('/gallery')
    await socket
    await page.getByRole('link', { name: 'Glasses', exact: true }).click()
    await isWorn()
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    assert.doesNotMatch(stored, /eyJ|token|Bearer/i)
    const wearer = () => page.evaluate<string | null>(`sessionStorage.getItem('glasses.wearer')`)
    assert.equal(typeof (await wearer()), 'string')
    await button('Take off').click()
    await isOff()
    await page.reload()
    await isOff()
    await page.getByText('Not worn').waitFor()
    assert.equal(await wearer(), null)
  })

  test('the open tool is in the address; tool and model are remembered on this device', async () => {
    await page.goto('/glasses?panel=faults')
    await page.getByRole('tab', { name: 'Faults', selected: true }).waitFor()
    await page.getByRole('tab', { name: 'Camera' }).click()
    await page.waitForURL('**/glasses?panel=camera')
    await page.getByLabel('Model').selectOption('Even Realities G1')
    const other = await context.newPage()
    await other.goto('/glasses')
    await other.getByRole('tab', { name: 'Camera', selected: true }).waitFor()
    assert.equal(await other.getByLabel('Model').inputValue(), 'Even Realities G1')
    await other.close()
  })

  test('CON-297: photos of the camera button and of the page are in the gallery at once, also in another tab', async () => {
    await button('Put on').click()
    await page.getByText('Even Realities G1 have no camera').waitFor()
    // The list that was read just now is shown again below.
    await page.getByRole('link', { name: 'Gallery', exact: true }).click()
    await page.getByRole('heading', { name: 'No photos yet' }).waitFor()
    const other = await context.newPage()
    await other.goto('/gallery')
    await other.getByRole('heading', { name: 'No photos yet' }).waitFor()
    await page.goBack()
    await button('Put on Mentra Live').click()
    await lens().getByText('Apps hear, speak and take photos with these glasses.').waitFor()
    assert.equal(await lens().getByText('Apps show their content here').count(), 0)
    await button('Take a photo').click()
    await page.getByText('The photo is in the gallery').first().waitFor()
    await page.getByRole('img', { name: 'Photo 1' }).waitFor()
    await other.getByText('1 in total').waitFor()
    await page.getByRole('tab', { name: 'Buttons' }).click()
    // Captions does not handle buttons.
    await button('Press the button').click()
    await other.getByText('2 in total').waitFor()
    await other.close()
    const photos = await galleryOf(cloud, await cloud.token(WEARER))
    assert.equal(photos.length, 2)
    await page.getByRole('tab', { name: 'Camera' }).click()
    await page.getByRole('link', { name: 'Open the gallery' }).click()
    await page.getByRole('heading', { name: 'Gallery', level: 1 }).waitFor()
    for (const photo of photos) await page.locator(`img[src*="${photo._id}"]`).waitFor()
  })

  test('CON-150: why the glasses are off is in the lens, above the button that puts them on', async (t) => {
    const assertOff = async (reason: string) => {
      await lens().getByText(reason).waitFor()
      for (const size of PHONES) {
        await page.setViewportSize(size)
        await assertInSight(lens(), button('Put on'), field())
      }
    }
    await page.goto('/glasses')
    await isWorn()
    const others = new Glasses({ url: cloud.url, token: await cloud.token(WEARER), reconnect: false })
    t.after(() => others.disconnect())
    await others.connect()
    await assertOff('You put on other glasses')
    await page.route('**/api/auth/glasses-token', (route) => route.abort())
    await button('Put on').click()
    await assertOff('The cloud cannot be reached')
    await page.unroute('**/api/auth/glasses-token')
    await button('Put on').click()
    await isWorn()
    await page.setViewportSize(DESKTOP)
    assert.match(problems.splice(0).join(), /ERR_FAILED/)
  })

  test('from the lens, two presses of Tab lead to the field', async () => {
    await page.goto('/glasses')
    await isWorn()
    await button('Take off').click()
    await button('Put on').focus()
    await page.keyboard.press('Enter')
    await isWorn()
    await waitUntilTrue(page, `document.activeElement?.getAttribute('aria-label') === 'Lens'`)
    await button('Stop Captions').or(button('Start Captions')).waitFor()
    const reached = async () =>
      (await field().evaluate((node) => node === node.ownerDocument.activeElement)) === true
    for (let presses = 0; presses < 3 && !(await reached()); presses += 1) await page.keyboard.press('Tab')
    assert.ok(await reached())
    assert.deepEqual(problems, [])
  })
})
