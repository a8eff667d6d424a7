import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'
import { Phone } from '@glasses-cloud/phone'
import { BrilliantGlasses } from '@glasses-cloud/phone/brilliant'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { ManualClock } from '@glasses-cloud/phone/test/manual-clock'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'
const timeout = { timeoutMs: 60_000 }

/** A clock for glasses and adapter that stands still while this process does: a slow machine slows both alike. */
function startClock(t: TestContext): ManualClock {
  const clock = new ManualClock()
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      await clock.advance(20)
      await delay(10)
    }
  }
  const ended = run()
  t.after(() => {
    isStopped = true
    return ended
  })
  return clock
}

/** Wears modelled glasses while the captions app runs, and takes them off. */
async function wear(
  cloud: TestCloud,
  clock: ManualClock,
  kind: 'Frame' | 'Halo',
  read: (phone: Phone, model: BrilliantModel) => Promise<void>,
): Promise<void> {
  const model = new BrilliantModel(clock, kind)
  const glasses = new BrilliantGlasses({ peripheral: model, clock })
  const phone = new Phone(glasses, { url: cloud.url, token: await cloud.token(`${kind}@example.org`) })
  try {
    await phone.connect(timeout)
    await waitFor('the publication of the app', () => phone.api.install(CAPTIONS).then(() => true))
    await waitFor('the start of the app', () => phone.api.startApp(CAPTIONS).then(() => true))
    await read(phone, model)
  } finally {
    await phone.disconnect()
  }
  await waitFor('a blank lens', () => model.lens.lines.length === 0 && !model.isRunning)
}

/** Shows a caption of several pages, and turns to the last one. */
async function readCaption(phone: Phone, model: BrilliantModel): Promise<void> {
  await phone.waitForMicrophone('transcription', timeout)
  const sentence = 'the quick brown fox jumps over the lazy dog and runs away through the deep dark forest'
  const text = `${sentence}, ${sentence}, ${sentence}, and comes home`
  phone.send({ type: 'local_transcription', text, isFinal: true, language: 'en-US' })
  const shown = () => model.lens.lines.join(' ')
  await waitFor('the words on the lens', () => shown().includes('quick brown'))
  assert.ok(phone.nextPage(), 'the caption fits on one page')
  while (phone.nextPage());
  await waitFor('the last words on the lens', () => shown().endsWith('home'))
  assert.equal(model.lens.overflows + model.lens.missingGlyphs, 0)
}

test('PHC-11: captions of the sample app, page by page, on a Frame and a Halo', async (t) => {
  const cloud = await startCloud(t, { env: { SAMPLE_APP: 'on' } })
  const clock = startClock(t)
  for (const kind of ['Frame', 'Halo'] as const) await wear(cloud, clock, kind, readCaption)
})

test('spoken words are shown on the lens of a Frame and a Halo', { skip: voiceMissing }, async (t) => {
  const pcm = await spoken('please remember to buy bread and milk')
  const cloud = await startCloud(t, { env: { SAMPLE_APP: 'on', ...(await startRecognizer(t)) } })
  const clock = startClock(t)
  const hear = async (_phone: Phone, model: BrilliantModel) => {
    // The sentence is heard again and again: the recognizer may miss the beginning of the first time.
    model.microphone.sound = model.kind === 'Halo' ? new Lc3Encoder(20).encode(pcm) : pcm
    const shown = () => model.lens.lines.join(' ')
    await waitFor('the words on the lens', () => /buy bread and milk/.test(shown()), timeout.timeoutMs)
  }
  await Promise.all((['Frame', 'Halo'] as const).map((kind) => wear(cloud, clock, kind, hear)))
})
