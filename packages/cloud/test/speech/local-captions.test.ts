import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.captions'
const email = 'ada@example.com'
const SENTENCE = 'the meeting starts at seven in the evening'

describe('captions from sound', { skip: voiceMissing }, () => {
  test('STT-1 STT-40: a spoken sentence is recognized on this machine and shown word for word', async (t) => {
    const cloud = await startCloud(t, { env: await startRecognizer(t) })
    const { apiKey } = await SdkApp.register(t, cloud, 'captions', {
      packageName,
      permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
    })
    const token = await cloud.token(email)
    const glasses = new Glasses({ url: cloud.url, token })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    await glasses.api.install(packageName)
    await glasses.api.startApp(packageName)
    await glasses.waitForMicrophone('pcm', { timeoutMs: 20_000 })
    const { framesSkipped } = await glasses.playAudio(await spoken(SENTENCE))
    assert.equal(framesSkipped, 0)
    // The lens has 40 columns.
    await glasses.waitForDisplay(/the meeting starts at seven in the\s+evening/, { timeoutMs: 20_000 })

    const sessionId = String((await glasses.waitForMessage('connection_ack')).sessionId)
    const { body } = await cloud.request<{ segments: { text: string; isFinal: boolean }[] }>(
      'GET',
      `/api/transcripts/${sessionId}-${packageName}?duration=60`,
      { headers: { 'x-api-key': apiKey, 'x-package-name': packageName } },
    )
    assert.deepEqual(
      body.segments.map(({ text, isFinal }) => ({ text, isFinal })),
      [{ text: SENTENCE, isFinal: true }],
    )
  })
})
