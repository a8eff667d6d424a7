import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneApi, silence } from '@glasses-cloud/phone'
import { MiniAppEngine } from '../support/mini-app-engine.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.app'
const SENTENCE = 'the meeting starts at seven in the evening'

/** As hosts send it: a hundred pieces a second would take the test's time. */
const CHUNK_MS = 100
const CHUNK_BYTES = (16_000 * 2 * CHUNK_MS) / 1_000

/** Before the sentence, for the start of the recognizer. */
const PAUSE_MS = 5_000

test('spoken words are shown on the lens of a mini app', { skip: voiceMissing }, async (t) => {
  const cloud = await startCloud(t, { env: await startRecognizer(t) })
  await SdkApp.register(t, cloud, 'captions', {
    packageName,
    permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
  })
  const engine = await MiniAppEngine.install(t, cloud.url)
  const token = await cloud.token('ada@example.com')
  const code = /^Code: ([A-Z]{4}-[A-Z]{4})$/m
  const [, userCode] = code.exec(await engine.waitForLens(code)) ?? []
  const approved = await cloud.request('POST', '/api/auth/device/approve', { token, body: { userCode } })
  assert.equal(approved.status, 200)
  const api = new PhoneApi({ url: cloud.url, token })
  await api.install(packageName)
  await waitFor('the start of the app', () => api.startApp(packageName).then(() => true))
  await waitFor('the microphone', () => engine.host.subscriptions.includes('audio_chunk'))

  const recording = Buffer.concat([silence(PAUSE_MS), await spoken(SENTENCE)])
  let at = 0
  const speaking = setInterval(() => {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    recording.subarray(at, at + CHUNK_BYTES).copy(chunk)
    at += CHUNK_BYTES
    const data = chunk.toString('base64')
    engine.host.emit('audio_chunk', { data, sampleRate: 16_000, format: 'pcm_s16le' })
  }, CHUNK_MS)
  t.after(() => clearInterval(speaking))
  await engine.waitForLens(/meeting\sstarts\sat\sseven\sin\sthe\sevening/)
})
