import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { installModel, runModels } from '../support/install-model.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'
import { ENGLISH, toneSpeech } from '../support/tiny-speech-models/index.ts'
import { waitFor } from '../support/wait-for.ts'

const LC3 = { format: 'lc3', frameSizeBytes: 40 } as const

/** Starts an app on the unmodified SDK that subscribes to its wake words. */
async function startApp(t: TestContext, cloud: TestCloud, packageName: string, ...phrases: string[]) {
  return (
    await SdkApp.register(t, cloud, new URL('../apps/wake-words.ts', import.meta.url), {
      packageName,
      appType: 'BACKGROUND',
      permissions: [{ type: 'MICROPHONE' }],
      wakeWords: phrases.map((phrase) => ({ phrase })),
    })
  ).app
}

/** Waits until the cloud measures a value: the streams are open. */
async function waitForMetric(cloud: TestCloud, line: string): Promise<void> {
  const read = async () => (await fetch(`${cloud.url}/metrics`)).text()
  await waitFor(line, async () => (await read()).split('\n').includes(line))
}

/** The wake word that an app receives next; its line is removed. */
async function nextPhrase(app: SdkApp): Promise<string> {
  const line = await app.waitForLine(/^received wake_word /)
  app.lines.splice(app.lines.indexOf(line), 1)
  const { type, phrase, language, timestamp } = JSON.parse(line.slice('received wake_word '.length))
  assert.deepEqual([type, language, new Date(timestamp).toISOString()], ['wake_word', 'en-US', timestamp])
  return phrase
}

const say = (...words: string[]) =>
  toneSpeech(words, { language: ENGLISH, leadMs: 300, tailMs: 1_500, amplitude: 0.5 }).pcm

test('LC3 from the glasses wakes the apps that declare what is said, with a model for it and without', async (t) => {
  const cloud = await startCloud(t)
  await installModel(t, cloud, 'keywordSpotter')
  const first = await startApp(t, cloud, 'dev.example.first', 'alpha bravo', 'Charlie Alpha')
  const second = await startApp(t, cloud, 'dev.example.second', 'bravo charlie')
  const glasses = new Glasses({
    url: cloud.url,
    token: await cloud.token('ada@example.com'),
    audioFormat: LC3,
  })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  for (const packageName of ['dev.example.first', 'dev.example.second']) {
    await glasses.api.install(packageName)
    await glasses.api.startApp(packageName)
  }
  await glasses.waitForMicrophone('pcm', { timeoutMs: 20_000 })
  await waitForMetric(cloud, 'local_speech_wake_word_streams 2')
  await glasses.playAudio(say('alpha', 'charlie', 'bravo'))
  await glasses.playAudio(say('charlie', 'alpha', 'bravo'))
  assert.equal(await nextPhrase(first), 'Charlie Alpha')
  await glasses.playAudio(say('bravo', 'charlie'))
  assert.equal(await nextPhrase(second), 'bravo charlie')

  await installModel(t, cloud, 'streamingEnglish')
  await runModels(cloud, 'remove', 'tiny-keywords-en')
  await waitForMetric(cloud, 'local_speech_streams{model="tiny-streaming-en"} 1')
  await glasses.playAudio(say('charlie', 'bravo', 'charlie'))
  assert.equal(await nextPhrase(second), 'bravo charlie')
  await glasses.playAudio(say('charlie', 'alpha', 'bravo'))
  assert.deepEqual([await nextPhrase(first), await nextPhrase(first)].sort(), [
    'Charlie Alpha',
    'alpha bravo',
  ])
  for (const app of [first, second])
    assert.deepEqual(
      app.lines.filter((line) => /^received (?!ready)/.test(line)),
      [],
      'an app receives nothing but its own phrases',
    )
})
