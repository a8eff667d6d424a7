import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BrilliantModel } from '@glasses-cloud/device-models/brilliant'
import { Phone } from '@glasses-cloud/phone'
import { BrilliantGlasses } from '@glasses-cloud/phone/brilliant'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'
const timeout = { timeoutMs: 60_000 }
const clock = {
  now: () => Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
}

for (const kind of ['Frame', 'Halo'] as const)
  test(`BRL-11 PHC-11: captions of the sample app on a ${kind}, whose wearer turns the page`, async (t) => {
    const cloud = await startCloud(t, { env: { SAMPLE_APP: 'on' } })
    const model = new BrilliantModel(clock, kind)
    const glasses = new BrilliantGlasses({ peripheral: model })
    const phone = new Phone(glasses, { url: cloud.url, token: await cloud.token('wearer@example.org') })
    t.after(() => phone.disconnect())
    await phone.connect(timeout)
    await waitFor('the publication of the app', () => phone.api.install(CAPTIONS).then(() => true))
    await waitFor('the start of the app', () => phone.api.startApp(CAPTIONS).then(() => true))
    await phone.waitForMicrophone('transcription', timeout)
    const sentence = 'the quick brown fox jumps over the lazy dog and runs away through the deep dark forest'
    const text = `${sentence}, ${sentence}, ${sentence}, and comes home`
    phone.send({ type: 'local_transcription', text, isFinal: true, language: 'en-US' })
    const shows = (words: string) => () => model.lens.lines.join(' ').includes(words)
    await waitFor('the words on the lens', shows('the quick brown fox'))
    assert.equal(model.lens.overflows + model.lens.missingGlyphs, 0)
    if (kind === 'Frame') model.tap()
    else model.click('single')
    await waitFor('the last words on the lens', shows('comes home'))
    await phone.disconnect()
    await waitFor('a blank lens', () => model.lens.lines.length === 0 && !model.isRunning)
  })
