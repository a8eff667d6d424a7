import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { silence } from '@glasses-cloud/phone'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import {
  contentOf,
  createAdministrator,
  findBarriers,
  openConsole,
  setSwitch,
} from '../support/console-rig.ts'
import { makeFakeDevices } from '../support/fake-devices.ts'
import { ffmpegMissing } from '../support/media.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.captions'
const email = 'ada@example.org'
const SENTENCE = 'good morning everyone'

describe('simulated glasses in a browser', { skip: browserMissing || ffmpegMissing }, () => {
  const scope = suiteScope()
  let browser: Browser
  let speechEnv: Record<string, string>
  let app: SdkApp
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    const hasVoice = voiceMissing === false
    const sound = hasVoice ? await spoken(SENTENCE) : silence(1_000)
    speechEnv = hasVoice ? await startRecognizer(scope) : {}
    const [cloud, devices] = await Promise.all([
      spawnCloud(scope, { env: speechEnv }),
      makeFakeDevices(scope, sound, 'red'),
    ])
    ;[app, browser] = await Promise.all([startCaptions(scope, cloud), startBrowser(scope, devices.args)])
    ;({ context, page, problems } = await openConsole(browser, cloud.url))
    await createAdministrator(page, email)
  })

  /** Starts the app, and registers it at a cloud. */
  async function startCaptions(scope: Scope, cloud: TestCloud): Promise<SdkApp> {
    return (
      await SdkApp.register(scope, cloud, 'captions', {
        packageName,
        name: 'Captions',
        permissions: [{ type: 'MICROPHONE', description: 'To hear what is said' }],
        developerId: email,
      })
    ).app
  }
  /** Installs and starts the app on glasses that are put on. */
  async function wearCaptions(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Install Captions' }).click()
    await page.getByRole('button', { name: 'Start Captions' }).waitFor()
    await page.getByRole('link', { name: 'Glasses', exact: true }).click()
    await page.getByRole('button', { name: 'Put on' }).click()
    await page.getByText('Worn', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Start Captions' }).click()
    await page.getByRole('button', { name: 'Stop Captions' }).waitFor()
  }

  const lens = (on = page) => on.getByRole('region', { name: 'Lens' })
  const inspector = () => page.getByRole('tabpanel', { name: 'Frames' })
  const frame = (type: string) => inspector().getByRole('listitem').filter({ hasText: type }).first()
  const openTool = async (name: string) => {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tabpanel', { name }).locator('> *').first().waitFor()
  }
  const choose = (label: string, option: string) => page.getByLabel(label).selectOption(option)
  /** Lets the phone recognize speech, or the cloud. */
  const setPhoneRecognition = async (isOn: boolean) => {
    await openTool('Sound')
    await setSwitch(page, 'The phone recognizes speech', isOn)
  }
  const listensToWords = () => page.getByText('An app listens to words').waitFor()
  const say = async (words: string) => {
    await page.getByLabel('What you say').fill(words)
    await page.getByRole('button', { name: 'Speak', exact: true }).click()
    await lens().getByText(words).waitFor()
  }

  test('the signed-in user wears simulated glasses, starts an app, speaks, and reads the words', async () => {
    await wearCaptions(page)
    if (voiceMissing === false) await page.getByRole('button', { name: 'Type instead' }).click()
    await listensToWords()
    await say('say hello there')
    await page.getByRole('link', { name: 'Gallery' }).click()
    await page.getByRole('link', { name: 'Glasses', exact: true }).click()
    await lens().getByText('say hello there').waitFor()
  })

  test('the lens has the size, lines and features of the device', async () => {
    for (const [model, width, height, lines] of [
      ['Even Realities G1', 640, 200, 5],
      ['Even Realities G2', 576, 288, 8],
      ['Vuzix Z100', 640, 480, 7],
    ] as const) {
      await choose('Model', model)
      await lens().getByText(`${width} × ${height} pixels, ${lines} lines`).waitFor()
      const glass = lens().locator('[aria-live]')
      const box = await glass.boundingBox()
      assert.ok(box)
      assert.ok(Math.abs(box.width / box.height - width / height) < 0.02, `${model}: ${JSON.stringify(box)}`)
      const lineHeight = await glass.locator('pre').evaluate((text) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(node: unknown): { lineHeight: string }
        }
        return Number.parseFloat(getComputedStyle(text).lineHeight)
      })
      assert.ok(Math.abs((lineHeight * lines) / box.height - 1) < 0.03, `${model}: ${lineHeight}`)
    }
    await choose('Model', 'Mentra Live')
    await lens().getByText('These glasses have no display.').waitFor()
    await choose('Model', 'Simulated Glasses')
  })

  test('the inspector lists frames, which are filtered, opened, paused and exported', async () => {
    await openTool('Frames')
    await page.getByLabel('Filter by type or content').fill('display_event')
    await frame('display_event').getByText('from the cloud').waitFor()
    // A frame that arrives later would take the place of the one that is opened.
    await setSwitch(page, 'Pause', true)
    await frame('display_event').getByText('Valid', { exact: true }).waitFor()
    await frame('display_event').getByText('display_event').first().click()
    await page.getByRole('row', { name: 'layoutType: "text_wall"' }).waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await frame('display_event').getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied').first().waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(JSON.parse(String(copied)).type, 'display_event')
    await setSwitch(page, 'Pause', false)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = String(await contentOf(download)).split('\n')
    assert.ok(lines.every((line) => JSON.parse(line).message.type === 'display_event'))

    await page.getByLabel('Filter by type or content').fill('quietly')
    await inspector().getByText('No frame matches').waitFor()
    await setSwitch(page, 'Pause', true)
    await say('quietly now')
    await inspector().getByText('No frame matches').waitFor()
    await setSwitch(page, 'Pause', false)
    await frame('local_transcription').waitFor()
    await page.getByLabel('Filter by type or content').fill('')
  })

  test('what breaks the contract is marked with the reason, also while it is typed', async () => {
    await openTool('Replay')
    const editor = page.getByLabel('Message', { exact: true })
    await page.getByText('Matches the schema of its type').waitFor()
    await editor.fill('{ "type": "button_press", "buttonId": 7 }')
    await page.getByText(/^button_press: /).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await editor.fill('{ "type": "news_of_my_own" }')
    await page.getByText('The contract has no message of this type').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await openTool('Frames')
    await choose('Frames to show', 'Invalid or unknown')
    await frame('news_of_my_own').getByText('Unknown type').waitFor()
    await frame('button_press').getByText('Invalid').click()
    await frame('button_press')
      .getByText(/^button_press: /)
      .waitFor()
    await choose('Frames to show', 'All frames')
  })

  test('looking up shows the dashboard; buttons and battery reach the cloud', async () => {
    await openTool('Buttons')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('Dashboard', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Look straight' }).click()
    await page.getByText('Main view').waitFor()
    await page.getByRole('button', { name: 'Press the button' }).click()
    await openTool('Power')
    await setSwitch(page, 'Charging', true)
    await openTool('Frames')
    await frame('button_press').waitFor()
    await frame('glasses_battery_update').waitFor()
  })

  test('the delay of what was said is shown in words, as bars and as a table', async () => {
    await openTool('Timing')
    const count = (await page.getByRole('table', { name: 'Delay by utterance' }).getByRole('row').count()) - 1
    assert.ok(count > 0)
    await say('how long does it take')
    const row = page.getByRole('row', { name: /how long does it take/ })
    await row
      .getByText(/^\d+ ms$/)
      .nth(1)
      .waitFor()
    await page
      .getByText(new RegExp(`^${count + 1} utterances: half were on the lens within \\d+ ms`))
      .waitFor()
    const bars = page.getByRole('listbox', { name: 'Delay of each utterance' })
    await bars.focus()
    await page.keyboard.press('End')
    await bars.getByRole('option', { name: /^how long does it take: \d+ ms$/ }).waitFor()
    await page
      .locator('figcaption')
      .getByText(/^how long does it take: \d+ ms$/)
      .waitFor()
  })

  test('the start of an own app is shown as a timeline and as a picture', async () => {
    await openTool('Timing')
    const moments = page.getByRole('region', { name: packageName }).first().getByRole('listitem')
    await moments.filter({ hasText: 'The start was answered' }).waitFor()
    await moments.filter({ hasText: 'Webhook of the app (attempt 1, HTTP 200' }).waitFor()
    const texts = await moments.allTextContents()
    const expected = ['asked for the start', 'cloud started it', 'its socket', 'is running', 'First content']
    for (const moment of expected)
      assert.ok(
        texts.some((text) => /^\+\d+ ms/.test(text) && text.includes(moment)),
        `${moment}: ${texts.join('; ')}`,
      )
    const picture = page.getByRole('table', { name: `Start of ${packageName}` }).first()
    for (const phase of ['Request', 'Webhook', 'Socket', 'Session', 'First content', 'Response'])
      await picture
        .getByRole('row', { name: new RegExp(`^${phase} \\+\\d+ ms \\d+ ms$`) })
        .first()
        .waitFor()
    const times = texts.map((text) => Number(/^\+(\d+)/.exec(text)?.[1]))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
  })

  test('a lost connection is shown, and the session goes on', async () => {
    await openTool('Faults')
    await page.getByRole('button', { name: 'Lose the connection' }).click()
    await page.getByText('Worn', { exact: true }).waitFor()
    await listensToWords()
    await say('we are back')
  })

  test('on a slow network everything arrives, in order', async () => {
    await choose('Delay of the network', '0.3 seconds')
    await choose('Speed of the network', '4 KB/s: too slow for sound')
    await say('slowly but surely')
    await choose('Delay of the network', 'None')
    await choose('Speed of the network', 'Full')
  })

  test('a recording is replayed, step by step and with its timing', async () => {
    await openTool('Frames')
    await page.getByLabel('Filter by type or content').fill('local_transcription')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await say('one more time')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const recording = await contentOf(download)
    await page.getByLabel('Filter by type or content').fill('')
    await openTool('Replay')
    const open = async (buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Open a recording' }).click()
      await (await chooser).setFiles({ name: 'frames.jsonl', mimeType: 'application/jsonl', buffer })
    }
    await open(Buffer.from('{"at":"yesterday"}'))
    await page.getByText('Line 1 is not a recorded frame').waitFor()
    await open(recording)
    await page.getByText('0 of 4 sent').waitFor()
    const before = app.lines.length
    await page.getByRole('button', { name: 'Send the next one' }).click()
    await page.getByText('1 of 4 sent').waitFor()
    await page.getByRole('button', { name: 'Replay with its timing' }).click()
    await page.getByText('4 of 4 sent').waitFor()
    await app.waitForLine(/captioned 3 words/, before)
    await lens().getByText('one more time one more time').waitFor()
  })

  test('the microphone of the computer is captioned, also as LC3', {
    skip: voiceMissing,
  }, async () => {
    await setPhoneRecognition(false)
    await page.getByText('The cloud asks for: pcm').waitFor()
    const configured = page.waitForResponse((response) => response.url().endsWith('/audio/configure'))
    await choose('Sound is sent as', 'LC3, 32 kbit/s')
    assert.equal((await configured).status(), 200)
    const before = app.lines.length
    await page.getByRole('button', { name: 'Use the microphone' }).click()
    await app.waitForLine(/captioned 3 words/, before)
    await lens().getByText(SENTENCE).waitFor()
    await openTool('Timing')
    const row = page.getByRole('row', { name: /Sound of the microphone/ })
    await row
      .getByText(/^\d+ ms$/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Stop the microphone' }).click()
  })

  test('CON-18: every panel is accessible, on a phone too, and works with the keyboard', async () => {
    await openTool('Frames')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('tab', { name: 'Camera' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: 'Power', selected: true }).waitFor()
    const battery = page.getByRole('slider', { name: 'Battery of the glasses' })
    await battery.focus()
    await page.keyboard.press('Home')
    await openTool('Frames')
    await frame('glasses_battery_update').locator('summary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: 'level: 0' }).waitFor()
    // A row that arrives later would move those that are being checked.
    await setSwitch(page, 'Pause', true)
    for (const [index, tab] of (await page.getByRole('tab').all()).entries()) {
      await tab.click()
      await page.getByRole('tabpanel').locator('> *').first().waitFor()
      const barriers = await findBarriers(page, index === 0 ? { onPhone: true } : { themes: ['light'] })
      assert.deepEqual(barriers, [], (await tab.textContent()) ?? '')
    }
    await setSwitch(page, 'Pause', false)
  })

  test('CON-153: glasses in another tab take over, and both tabs say so', async () => {
    const other = await context.newPage()
    await other.goto('/glasses')
    await other.getByRole('button', { name: 'Put on' }).click()
    await other.getByText('These glasses took over').waitFor()
    await page.getByText('You put on other glasses').waitFor()
    await page.getByText('Not worn').waitFor()
    // A reload does not undo it (CON-153).
    await page.reload()
    await page.getByRole('button', { name: 'Put on' }).waitFor()
    await other.getByText('Worn', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Put on' }).click()
    await page.getByText('These glasses took over').waitFor()
    await other.getByText('You put on other glasses').waitFor()
    await other.close()
    await page.getByRole('button', { name: 'Take off' }).click()
    await page.getByText('Not worn').waitFor()
    assert.deepEqual(problems, [])
  })

  test('when the phone recognizes nothing of what the microphone hears, the lens says what to do', {
    skip: voiceMissing,
  }, async (t) => {
    // In this process, because 15 seconds of speech pass otherwise.
    const timing = { unrecognizedSpeechMs: 1_000 }
    const cloud = await startCloud(t, { env: speechEnv, overrides: { timing } })
    await startCaptions(t, cloud)
    await context.close()
    ;({ page, problems } = await openConsole(browser, cloud.url))
    await createAdministrator(page, email)
    await wearCaptions(page)
    await page.getByRole('button', { name: 'Type instead' }).click()
    await listensToWords()
    await openTool('Sound')
    await page.getByRole('switch', { name: /^The phone recognizes speech/, checked: true }).waitFor()
    await page.getByRole('button', { name: 'Use the microphone' }).click()
    await lens().getByText('Speech is not recognized').waitFor()
    await page.getByRole('button', { name: 'Stop the microphone' }).click()
    await say('typed words')
    assert.deepEqual(problems, [])
  })
})
