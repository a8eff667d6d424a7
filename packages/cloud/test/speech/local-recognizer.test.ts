import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Finding } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { cli } from '../support/cli.ts'
import { createDeveloper } from '../support/developer.ts'
import { installModel, runModels } from '../support/install-model.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { ENGLISH, toneSpeech } from '../support/tiny-speech-models/index.ts'

const packageName = 'dev.example.captions'
const email = 'ada@example.com'
const LC3 = { format: 'lc3', frameSizeBytes: 40 } as const

/** A wearer with a running captions app. */
async function wear(t: TestContext, cloud: TestCloud): Promise<Glasses> {
  await SdkApp.register(t, cloud, 'captions', {
    packageName,
    permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
  })
  const glasses = new Glasses({ url: cloud.url, token: await cloud.token(email), audioFormat: LC3 })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  await glasses.api.install(packageName)
  await glasses.api.startApp(packageName)
  return glasses
}

const say = (...words: string[]) =>
  toneSpeech(words, { language: ENGLISH, leadMs: 300, tailMs: 1_500, amplitude: 0.5 }).pcm

describe('local recognizer', () => {
  test('LC3 from the glasses is captions on the lens, in a cloud with a model and no setting', async (t) => {
    const cloud = await startCloud(t)
    await installModel(t, cloud, 'streamingEnglish')
    const glasses = await wear(t, cloud)
    await glasses.waitForMicrophone('pcm', { timeoutMs: 20_000 })
    await glasses.playAudio(say('charlie', 'alpha', 'bravo'))
    await glasses.waitForDisplay(/charlie alpha bravo/, { timeoutMs: 20_000 })
  })

  test('LSP-15: the last word, of a model with long chunks and a phone that says that speech has ended with it', async (t) => {
    const cloud = await spawnCloud(t)
    await installModel(t, cloud, 'streamingEnglishSlow')
    const glasses = await wear(t, cloud)
    await glasses.waitForMicrophone('pcm', { timeoutMs: 20_000 })
    for (const words of [
      ['charlie', 'alpha', 'bravo'],
      ['bravo', 'charlie'],
    ]) {
      glasses.sendVad(true)
      await glasses.playAudio(toneSpeech(words, { language: ENGLISH, leadMs: 300, amplitude: 0.5 }).pcm)
      glasses.sendVad(false)
      await glasses.waitForDisplay(new RegExp(`${words.join(' ')}$`), { timeoutMs: 20_000 })
    }
  })

  test('STT-85 LSP-11: a wearer who is connected needs no reconnection when a model is installed', async (t) => {
    const cloud = await startCloud(t)
    const glasses = await wear(t, cloud)
    await glasses.waitForMicrophone('transcription', { timeoutMs: 20_000 })
    await installModel(t, cloud, 'streamingEnglish')
    await glasses.waitForMicrophone('pcm', { timeoutMs: 20_000 })
    await glasses.playAudio(say('bravo', 'alpha'))
    await glasses.waitForDisplay(/bravo alpha/, { timeoutMs: 20_000 })
    const metrics = await (await fetch(`${cloud.url}/metrics`)).text()
    assert.match(metrics, /^local_speech_streams\{model="tiny-streaming-en"\} 1$/m)
    assert.match(metrics, /^local_speech_capacity\{model="tiny-streaming-en"\} \d+$/m)
    const root = await createDeveloper(cloud, 'root')
    await cloud.operator.users.setAdministrator(root.id, true, Date.now())
    const { body } = await cloud.request<{ data: Finding[] }>('GET', '/api/admin/checks', {
      token: root.token,
    })
    assert.match(
      body.data.flatMap(({ part, text }) => (part === 'local recognizer' ? text : [])).join(),
      /^tiny-streaming-en: 1 of \d+ streams in use, real-time factor \d\.\d{3}$/,
    )
    const doctor = await cli(cloud.env, 'doctor')
    assert.match(doctor.out, /speech to text.*local \(tiny-streaming-en\) accepts a session and answers/)
    await runModels(cloud, 'remove', 'tiny-streaming-en')
    await glasses.waitForMicrophone('transcription', { timeoutMs: 20_000 })
  })
})
