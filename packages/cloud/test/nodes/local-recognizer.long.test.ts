import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { onPostgres } from '../../src/db/testing.ts'
import { installModel, runModels } from '../support/install-model.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { ENGLISH, toneSpeech } from '../support/tiny-speech-models/index.ts'

const PACKAGE = 'dev.example.captions'
/** The node loads the model, and the app starts. */
const PATIENT = { timeoutMs: 40_000 }

const SENTENCES = [
  ['alpha', 'bravo', 'charlie'],
  ['charlie', 'charlie', 'alpha'],
  ['bravo', 'alpha', 'alpha'],
] as const

const soundOf = (words: readonly string[]) =>
  toneSpeech(words, { language: ENGLISH, leadMs: 300, tailMs: 1_500, amplitude: 0.5 }).pcm

describe('the local recognizer on three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('each node recognizes with the model that was installed once', async (t) => {
      const nodes = await startNodes(t, database, 3)
      const [one] = nodes
      assert.ok(one)
      await SdkApp.register(t, one, 'captions', {
        packageName: PACKAGE,
        permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
      })
      const wearers = await Promise.all(
        nodes.map(async (node, index) => {
          const glasses = new Glasses({
            url: node.url,
            token: await one.token(`wearer-${index}@example.com`),
          })
          t.after(() => glasses.disconnect())
          await glasses.connect()
          await glasses.api.install(PACKAGE)
          await glasses.api.startApp(PACKAGE)
          await glasses.waitForMicrophone('transcription', PATIENT)
          return glasses
        }),
      )

      const { model } = await installModel(t, one, 'streamingEnglish')
      await Promise.all(
        wearers.map(async (glasses, index) => {
          const words = SENTENCES[index] ?? []
          await glasses.waitForMicrophone('pcm', PATIENT)
          await glasses.playAudio(soundOf(words))
          await glasses.waitForDisplay(new RegExp(words.join(' ')), PATIENT)
        }),
      )
      for (const { cloud } of nodes)
        assert.deepEqual(
          cloud.features.stt.recognizers.list().map(({ model, streams }) => `${model} ${streams}`),
          ['tiny-streaming-en 1'],
        )

      await runModels(one, 'remove', model.id)
      await Promise.all(wearers.map((glasses) => glasses.waitForMicrophone('transcription', PATIENT)))
      for (const { cloud } of nodes) assert.deepEqual(cloud.features.stt.recognizers.list(), [])
    })
  })
})
