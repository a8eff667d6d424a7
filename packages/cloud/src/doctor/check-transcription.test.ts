import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config/index.ts'
import { FakeDeepgramConnection } from '../features/stt/testing/fake-deepgram.ts'
import { FakeOpenAiConnection } from '../features/stt/testing/fake-openai.ts'
import { FakeSocketProvider, FakeTcpProvider, providerKey } from '../features/stt/testing/fake-provider.ts'
import { FakeSonioxConnection } from '../features/stt/testing/fake-soniox.ts'
import { FakeVoskConnection } from '../features/stt/testing/fake-vosk.ts'
import { FakeWyomingConnection } from '../features/stt/testing/fake-wyoming.ts'
import { checkTranscription } from './check-speech.ts'

const check = async (env: Record<string, string>) =>
  (await checkTranscription(readConfig(env))).map(({ level, text }) => `${level}: ${text}`)

describe('doctor: speech to text', () => {
  test('STT-71: the doctor opens a session with each provider', async (t) => {
    const [soniox, deepgram, vosk, openai] = await Promise.all([
      FakeSocketProvider.start(t, FakeSonioxConnection),
      FakeSocketProvider.start(t, FakeDeepgramConnection),
      FakeSocketProvider.start(t, FakeVoskConnection),
      FakeSocketProvider.start(t, FakeOpenAiConnection),
    ])
    const wyoming = await FakeTcpProvider.start(t, FakeWyomingConnection)
    const env = {
      STT_PROVIDERS: 'soniox,deepgram,wyoming,vosk,openai,phone',
      SONIOX_API_KEY: providerKey,
      SONIOX_URL: `ws://127.0.0.1:${soniox.port}`,
      DEEPGRAM_API_KEY: providerKey,
      DEEPGRAM_URL: `ws://127.0.0.1:${deepgram.port}/v1/listen`,
      WYOMING_URL: `tcp://127.0.0.1:${wyoming.port}`,
      VOSK_URL: `ws://127.0.0.1:${vosk.port}`,
      OPENAI_STT_API_KEY: providerKey,
      OPENAI_STT_URL: `ws://127.0.0.1:${openai.port}/v1/realtime`,
    }
    const names = ['soniox', 'deepgram', 'wyoming', 'vosk', 'openai']
    assert.deepEqual(
      await check(env),
      names.map((name) => `ok: ${name} accepts a session and answers`),
    )
    for (const { receivedBytes } of [soniox, deepgram, wyoming, vosk, openai]) assert.ok(receivedBytes > 0)
    await Promise.all([soniox, deepgram, wyoming, vosk, openai].map((server) => server.idle()))
  })

  test('STT-71: the doctor names what to correct', async (t) => {
    assert.deepEqual(await check({ STT_PROVIDERS: 'phone' }), [
      'note: STT_PROVIDERS names no provider; phones recognize speech',
    ])
    const { port } = await FakeSocketProvider.start(t, FakeSonioxConnection)
    const soniox = { STT_PROVIDERS: 'soniox', SONIOX_URL: `ws://127.0.0.1:${port}` }
    assert.deepEqual(await check({ ...soniox, SONIOX_API_KEY: 'wrong' }), [
      'error: soniox rejects the key; correct SONIOX_API_KEY',
    ])
    const nowhere = { STT_PROVIDERS: 'wyoming', WYOMING_URL: 'tcp://127.0.0.1:9' }
    assert.deepEqual(await check(nowhere), [
      'error: wyoming cannot be reached (ECONNREFUSED); check the provider and WYOMING_URL',
    ])
    const translation = { TRANSLATION_PROVIDER: 'libretranslate', LIBRETRANSLATE_URL: 'http://127.0.0.1:9' }
    assert.match(
      String((await check(translation))[0]),
      /^error: libretranslate cannot be used .*LIBRETRANSLATE_URL/,
    )
  })
})
