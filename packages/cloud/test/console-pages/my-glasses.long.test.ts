import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { browserMissing } from '../support/browser.ts'
import { waitUntilTrue } from '../support/console-rig.ts'
import { installCaptions, openGlassesConsole } from '../support/glasses-console.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'

const SENTENCE = 'the meeting starts at seven in the evening'

test('STT-1: what is said at the glasses is drawn by both arms, also after one was lost', {
  skip: browserMissing || voiceMissing,
}, async (t) => {
  const env = await startRecognizer(t)
  const [pcm, { cloud, page, problems }] = await Promise.all([
    spoken(SENTENCE, 2_000),
    openGlassesConsole(t, { env, model: 'g1-model.ts' }),
  ])
  const app = await installCaptions(t, { cloud, page })
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
