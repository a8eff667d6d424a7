import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { bundlePage } from '../support/bundle-page.ts'
import { BLUETOOTH_ARGS, EmulatedBluetooth } from '../support/emulated-bluetooth.ts'

const [LEFT, RIGHT, STRANGER] = ['0A:00:00:00:00:01', '0A:00:00:00:00:02', '0A:00:00:00:00:03'] as const

test("Chromium's own Web Bluetooth chooses both arms, connects and writes in order", {
  skip: browserMissing,
}, async (t) => {
  const [script, browser] = await Promise.all([
    bundlePage('g1-chooser-page.ts'),
    startBrowser(t, BLUETOOTH_ARGS),
  ])
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.route('https://glasses.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<button onclick="g1.chooseFirst()">First</button><button onclick="g1.chooseSecond()">Second</button>',
    }),
  )
  await page.goto('https://glasses.test/')
  await page.addScriptTag({ content: script })
  const bluetooth = await EmulatedBluetooth.start(browser, context, page)
  await bluetooth.addPeripheral(LEFT, 'Even G1_12_L_4A3B2C')
  await bluetooth.addPeripheral(RIGHT, 'Even G1_12_R_5D6E7F')
  await bluetooth.addPeripheral(STRANGER, 'Headphones_12_L_000000')
  bluetooth.answerChoosers(RIGHT, LEFT)

  const waitForStep = (step: string) => page.waitForFunction(`g1.steps.includes(${JSON.stringify(step)})`)
  await page.getByRole('button', { name: 'First' }).click()
  await waitForStep('first Even G1_12_R_5D6E7F')
  await page.getByRole('button', { name: 'Second' }).click()
  await waitForStep('written')
  assert.deepEqual(await page.evaluate('g1.steps'), [
    'first Even G1_12_R_5D6E7F',
    'left Even G1_12_L_4A3B2C, right Even G1_12_R_5D6E7F',
    'written',
  ])
  assert.deepEqual(bluetooth.lists.at(-1), 1, 'the second chooser lists only the other arm')
  assert.ok((bluetooth.lists[0] ?? 0) <= 2, 'the first lists no other devices')
  assert.equal(bluetooth.subscriptions, 1)
  assert.deepEqual(bluetooth.writes, ['4d01', '2c01'])

  await bluetooth.disconnect(LEFT)
  await waitForStep('disconnected')
})
