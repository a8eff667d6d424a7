import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import type { BrowserContext, Page } from 'playwright-core'
import type { G1Report } from '../glasses/pages/g1-model.ts'
import { browserMissing } from '../support/browser.ts'
import { contentOf, findBarriers, setSwitch, waitUntilTrue } from '../support/console-rig.ts'
import { installCaptions, openGlassesConsole, WEARER } from '../support/glasses-console.ts'
import { suiteScope } from '../support/scope.ts'
import type { TestCloud } from '../support/test-cloud.ts'

/** Records the locks that keep the screen on. */
const RECORD_LOCKS = `
  globalThis.locks = []
  const request = navigator.wakeLock?.request.bind(navigator.wakeLock)
  if (request) navigator.wakeLock.request = async (type) => {
    const lock = await request(type)
    locks.push(lock)
    return lock
  }`

describe('an Even G1 on the page of real glasses', { skip: browserMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    const options = { model: 'g1-model.ts', script: RECORD_LOCKS }
    ;({ cloud, context, page, problems } = await openGlassesConsole(scope, options))
    await installCaptions(scope, { cloud, page })
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const isConnected = () => page.getByText('Connected', { exact: true }).waitFor()
  const fact = (name: string, value: string | RegExp) =>
    page.locator('dl > div').filter({ hasText: name }).getByText(value).waitFor()
  const report = () => page.evaluate<G1Report>('g1Model.report()')
  const lens = () => page.getByRole('region', { name: 'Lens' })

  /** Waits until both arms have drawn a text, and asserts that they show the same. */
  async function bothDraw(text: string): Promise<void> {
    const drawn = `lens.lines.join(' ').includes(${JSON.stringify(text)})`
    await waitUntilTrue(page, `g1Model.model.arms.every(({ lens }) => ${drawn})`)
    const { areLensesEqual, light, overflows } = await report()
    assert.deepEqual([areLensesEqual, light > 0, overflows], [true, true, [0, 0]])
  }

  test('CON-230 CON-231 CON-18: the wearer chooses both arms, connects, starts an app, and reads its words', async () => {
    await page.getByRole('link', { name: 'Glasses', exact: true }).click()
    await page.getByRole('link', { name: 'My real glasses' }).click()
    await page.getByText('Experimental').waitFor()
    assert.equal(await button('Choose the other arm').isEnabled(), false)
    assert.equal(await button('Save the diagnostics').isEnabled(), false)
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])

    await button('Choose the first arm').click()
    await page.getByText('Even G1_12_L_4A3B2C is chosen').waitFor()
    await button('Choose the other arm').click()
    await isConnected()
    const choosers = await page.evaluate<string[][]>('g1Model.choosers')
    assert.deepEqual(choosers, [['Even G1_12_L_4A3B2C', 'Even G1_12_R_5D6E7F'], ['Even G1_12_R_5D6E7F']])
    await fact('Left arm', 'connected')
    await fact('Right arm', 'connected')
    await fact('Battery', '80 %')
    await fact('Firmware', /ver 1\.6\.5/)
    await page.evaluate('g1Model.model.left.emit(0x06)')
    await fact('Worn', 'yes')

    await button('Start Captions').click()
    await lens().getByText('Ready. Say something.').waitFor()
    await bothDraw('Ready. Say something.')
    await fact('Microphone', /this cloud does not recognize speech/)
    await page.getByText('Running', { exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page, { onPhone: true }), [])
    assert.deepEqual(problems, [])
  })

  test('CON-230 CON-237: the glasses stay connected while other pages are shown', async () => {
    assert.equal(page.workers().length, 1, 'the worker of the timers')
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByRole('heading', { name: 'Gallery', level: 1 }).waitFor()
    assert.deepEqual((await report()).isConnected, [true, true])
    await page.goBack()
    await lens().getByText('Ready. Say something.').waitFor()
  })

  test('CON-232: the loss of an arm is said in words, and mended', async () => {
    await page.evaluate(`{ const { right } = g1Model.model; right.faults.isAway = true; right.drop() }`)
    const notice = page.getByRole('status').filter({ hasText: 'The right arm is not connected' })
    await notice.getByText('The microphone is in the right arm').waitFor()
    await notice.getByText('connected again by itself').waitFor()
    await fact('Left arm', 'connected')
    await page.getByText('The right arm lost its connection').waitFor()
    await button('Stop Captions').click()
    await lens().getByText('The lens is empty').waitFor()
    await page.evaluate('{ g1Model.model.right.faults.isAway = false }')
    await notice.waitFor({ state: 'detached' })
    await fact('Right arm', 'connected')
    await waitUntilTrue(page, 'g1Model.model.areLensesEqual')
    assert.deepEqual(
      (await report()).lenses.map(({ lines }) => lines),
      [[], []],
    )
    const happened = await page
      .getByRole('region', { name: 'What happened' })
      .getByRole('listitem')
      .allTextContents()
    assert.match(happened[0] ?? '', /The right arm is connected\.$/)
    assert.match(happened[1] ?? '', /The right arm lost its connection/)
  })

  test('brightness reaches both arms', async () => {
    const slider = page.getByRole('slider', { name: 'Brightness of the lens' })
    await slider.press('End')
    await waitUntilTrue(page, 'g1Model.model.arms.every(({ brightness }) => brightness?.level === 0x29)')
    await setSwitch(page, 'Let the glasses adjust it', true)
    await waitUntilTrue(
      page,
      'g1Model.model.arms.every(({ brightness }) => brightness?.isAutomatic === true)',
    )
  })

  test('CON-18: pocket mode keeps the screen on, ignores touches, and ends after a slide or by the keyboard', async () => {
    await page.getByText('The connection ends when the computer sleeps').waitFor()
    const dark = page.getByRole('dialog', { name: 'Pocket mode' })
    await button('Start pocket mode').click()
    await dark.getByText('The browser does not keep the screen on').waitFor()
    await page.keyboard.press('Escape')
    await dark.waitFor({ state: 'detached' })
    await context.grantPermissions(['screen-wake-lock'])
    await button('Start pocket mode').click()
    await dark.getByText('The screen stays on.').waitFor()
    assert.deepEqual(await findBarriers(page, { themes: ['light'] }), [])
    const slider = dark.getByRole('slider', { name: 'Slide to the end to leave pocket mode' })
    const [whole, box] = await Promise.all([dark.boundingBox(), slider.boundingBox()])
    assert.ok(whole && box)
    const [middle, left, right] = [box.y + box.height / 2, box.x + 20, box.x + box.width - 5]
    const { width, height } = whole
    for (const [x, y] of [
      [width / 2, height / 2],
      [5, 5],
      [width - 5, height - 5],
      [right, middle],
      [left, middle],
    ] as const)
      await page.mouse.click(x, y)
    await page.mouse.move(left, middle)
    await page.mouse.down()
    await page.mouse.move((left + right) / 2, middle, { steps: 5 })
    await page.mouse.up()
    assert.equal(await slider.inputValue(), '0', 'half a slide is taken back')
    assert.equal(await dark.isVisible(), true)
    assert.equal(await page.evaluate('locks.at(-1).released'), false)

    await page.mouse.move(left, middle)
    await page.mouse.down()
    await page.mouse.move(right, middle, { steps: 5 })
    await page.mouse.up()
    await dark.waitFor({ state: 'detached' })
    await waitUntilTrue(page, 'locks.length > 0 && locks.every(({ released }) => released)')

    await button('Start pocket mode').click()
    await slider.press('End')
    await dark.waitFor({ state: 'detached' })
    assert.deepEqual((await report()).isConnected, [true, true])
  })

  test('CON-236: the diagnostics have commands and times, but no words, names or serial numbers', async () => {
    const download = page.waitForEvent('download')
    await button('Save the diagnostics').click()
    const file = await download
    assert.match(file.suggestedFilename(), /^even-g1-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.txt$/)
    const content = String(await contentOf(file))
    assert.match(content, /^browser: .*Chrome/m)
    assert.match(content, /^Even Realities G1, net build time: .*ver 1\.6\.5/m)
    assert.match(content, /^\S+ left sent 4e \d+ bytes done$/m)
    assert.match(content, /^\S+ right link lost$/m)
    assert.doesNotMatch(content, /Ready|Say|Captions|ada@|4A3B2C|5D6E7F| f1 /)
  })

  test('CON-231: glasses that were disconnected are connected again without a chooser', async () => {
    await button('Disconnect').click()
    await button('Connect Even G1_12').waitFor()
    await waitUntilTrue(page, 'g1Model.model.arms.every(({ isConnected }) => !isConnected)')
    assert.deepEqual(
      (await report()).lenses.map(({ kind }) => kind),
      ['dashboard', 'dashboard'],
    )
    await button('Connect Even G1_12').click()
    await isConnected()
    assert.equal(await page.evaluate('g1Model.choosers.length'), 2)
  })

  test('CON-230: other glasses of the wearer take over, and the page says so', async (t) => {
    const other = new Glasses({ url: cloud.url, token: await cloud.token(WEARER) })
    t.after(() => other.disconnect())
    await other.connect()
    await page.getByText('You put on other glasses').waitFor()
    await waitUntilTrue(page, 'g1Model.model.arms.every(({ isConnected }) => !isConnected)')
  })

  test('CON-235: glasses out of reach, and a closed chooser, lead to help', async () => {
    await page.evaluate('for (const { faults } of g1Model.model.arms) faults.isAway = true')
    await button('Connect Even G1_12').click()
    await page.getByRole('alert').getByText('Neither arm of the glasses answers').waitFor()
    const help = page.getByRole('status').filter({ hasText: 'The glasses were not reached' })
    await help.getByText('Close the app of their maker on every phone').waitFor()
    await page.evaluate('{ g1Model.closesChoosers = true }')
    await button('Choose the first arm').click()
    await page.getByRole('status').filter({ hasText: 'No arm was chosen' }).waitFor()
    assert.deepEqual(await findBarriers(page, { themes: ['light'] }), [])
    assert.deepEqual(problems.splice(0), [])
  })

  for (const { title, script, texts } of [
    {
      title: 'an iPhone',
      script: `
        Object.defineProperty(navigator, 'bluetooth', { value: undefined })
        Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)' })`,
      texts: ['This browser has no Bluetooth for pages', 'Bluefy'],
    },
    {
      title: 'http',
      script: `Object.defineProperty(globalThis, 'isSecureContext', { value: false })`,
      texts: ['This page was not opened over https', 'the setting is called TLS'],
    },
    {
      title: 'Bluetooth that is off',
      script: `navigator.bluetooth.getAvailability = async () => false`,
      texts: ['Bluetooth is switched off'],
    },
  ])
    test(`CON-235 CON-18: with ${title} the page says what to do`, async () => {
      const other = await context.newPage()
      await other.addInitScript({ content: script })
      await other.goto('/glasses/mine')
      for (const text of texts) await other.getByText(text).waitFor()
      assert.deepEqual(await findBarriers(other, { themes: ['light'] }), [])
      assert.deepEqual(problems.splice(0), [])
      await other.close()
    })
})
