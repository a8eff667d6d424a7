import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Phone } from '@glasses-cloud/phone'
import { RecordingGlasses } from '@glasses-cloud/phone/test/recording-glasses'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'
const timeout = { timeoutMs: 30_000 }

describe('phone core', () => {
  test('PHC-11 PHC-5: captions of the sample app on glasses of three lines, which the wearer turns', async (t) => {
    const cloud = await startCloud(t, { env: { SAMPLE_APP: 'on' } })
    const glasses = new RecordingGlasses()
    const phone = new Phone(glasses, { url: cloud.url, token: await cloud.token('wearer@example.org') })
    t.after(() => phone.disconnect())
    await phone.connect(timeout)
    await waitFor('the publication of the app', () => phone.api.install(CAPTIONS).then(() => true))
    await waitFor('the start of the app', () => phone.api.startApp(CAPTIONS).then(() => true))
    await phone.waitForMicrophone('transcription', timeout)
    const text = 'the quick brown fox jumps over the lazy dog and runs away through the deep dark forest'
    phone.send({ type: 'local_transcription', text, isFinal: true, language: 'en-US' })
    await glasses.waitForLines((lines) => lines.includes('quick brown fox'))
    const page = glasses.pages.at(-1)
    assert.ok(page?.kind === 'text')
    assert.deepEqual([page.lines.length, page.number], [3, 1])
    assert.ok(page.lines.every((line) => line.length <= 20))
    glasses.events.gesture({ name: 'single_tap', side: 'right' })
    await glasses.waitForLines((lines) => lines.includes('forest'))
  })
})
