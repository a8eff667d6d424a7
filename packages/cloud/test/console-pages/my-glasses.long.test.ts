import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { bundlePage } from '../support/bundle-page.ts'
import { createAdministrator, openConsole, waitUntilTrue } from '../support/console-rig.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { spawnCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.captions'
const SENTENCE = 'the meeting starts at seven in the evening'

test('STT-1: what is said at the glasses is drawn by both arms, also after one was lost', {
  skip: browserMissing || voiceMissing,
}, async (t) => {
  const env = await startRecognizer(t)
  const [cloud, script, pcm, browser] = await Promise.all([
    spawnCloud(t, { env }),
    bundlePage('g1-model.ts'),
    spoken(SENTENCE, 2_000),
    startBrowser(t),
  ])
  const { app } = await SdkApp.register(t, cloud, 'captions', {
    packageName,
    name: 'Captions',
    permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
  })
  const { context, page, problems } = await openConsole(browser, cloud.url)
  await context.addInitScript({ content: script })
  await createAdministrator(page, 'ada@example.org')
  await page.getByRole('button', { name: 'Install Captions' }).click()
  await page.getByRole('button', { name: 'Start Captions' }).waitFor()
  await page.goto('/glasses/mine')
  await page.getByRole('button', { name: 'Choose the first arm' }).click()
  await page.getByRole('button', { name: 'Choose the other arm' }).click()
  await page.getByText('Connected', { exact: true }).waitFor()
  // The frames of the microphone of an Even G1: 20 bytes for 10 ms.
  const frames = Buffer.from(new Lc3Encoder(20).encode(pcm)).toString('base64')
  await page.evaluate((each) => {
    const { g1Model } = globalThis as unknown as { g1Model: { hear(frames: string): void } }
    g1Model.hear(each)
  }, frames)

  const bothDraw = (text: string) =>
    waitUntilTrue(
      page,
      `g1Model.model.areLensesEqual && g1Model.model.arms.every(({ lens }) => lens.lines.join(' ').includes(${JSON.stringify(text)}))`,
    )
  await page.getByRole('button', { name: 'Start Captions' }).click()
  await page.getByText('on: an app listens').waitFor()
  await bothDraw(SENTENCE)
  await page.getByRole('region', { name: 'Lens' }).getByText('the meeting starts at seven').first().waitFor()

  await page.evaluate('g1Model.model.right.drop()')
  await page.getByText('The right arm is not connected').first().waitFor()
  await page.getByText('on: an app listens').waitFor()
  const { length } = app.lines
  await app.waitForLine(/captioned 8 words/, length)
  await bothDraw(SENTENCE)
  await page.getByRole('button', { name: 'Stop Captions' }).click()
  await waitUntilTrue(page, '!g1Model.report().isHearing')
  assert.deepEqual(problems, [])
})
