import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aboutCloud } from './about.ts'
import { readConfig } from './config.ts'
import { ConfigError, type Env } from './env.ts'

/** The problems of the settings, without their last character. */
function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

describe('settings of speech', () => {
  test('STT-70: each provider requires its address or key', () => {
    for (const [provider, setting] of [
      ['soniox', 'SONIOX_API_KEY'],
      ['deepgram', 'DEEPGRAM_API_KEY'],
      ['wyoming', 'WYOMING_URL'],
      ['vosk', 'VOSK_URL'],
      ['openai', 'OPENAI_STT_API_KEY'],
    ] as const) {
      const expected = `${setting} must be set, because STT_PROVIDERS lists ${provider}.`
      assert.deepEqual(problemsOf({ STT_PROVIDERS: `${provider},phone` }), [expected])
      const value = { WYOMING_URL: 'tcp://h:1', VOSK_URL: 'ws://h:1' }[String(setting)] ?? 'key'
      const { stt } = readConfig({ STT_PROVIDERS: `${provider},phone`, [setting]: value })
      assert.deepEqual(
        stt.providers.map(({ name }) => name),
        [provider],
      )
    }
    assert.deepEqual(problemsOf({ STT_PROVIDERS: 'openai', OPENAI_STT_URL: 'ws://h:1' }), [])
  })

  test('STT-70: the order is kept, and invalid lists and addresses are reported', () => {
    const env = { STT_PROVIDERS: 'vosk, soniox ,phone', SONIOX_API_KEY: 'key', VOSK_URL: 'ws://h:1' }
    assert.deepEqual(
      readConfig(env).stt.providers.map(({ name }) => name),
      ['vosk', 'soniox'],
    )
    assert.deepEqual(problemsOf({ ...env, STT_PROVIDERS: 'phone,vosk' }), [
      'STT_PROVIDERS must name phone last, because vosk would never be used after it.',
    ])
    assert.deepEqual(problemsOf({ STT_PROVIDERS: 'siri' }), [
      'STT_PROVIDERS must be a comma-separated list of local, soniox, deepgram, wyoming, vosk, openai, phone (got "siri").',
    ])
    assert.deepEqual(problemsOf({ WYOMING_URL: 'http://host:10300', VOSK_URL: 'host:2700' }), [
      'WYOMING_URL must be a URL such as tcp://127.0.0.1:10300.',
      'VOSK_URL must be a URL such as ws://127.0.0.1:2700.',
    ])
  })

  test('CAT-33: the names of the providers are public', () => {
    const { providers } = aboutCloud(
      readConfig({
        STT_PROVIDERS: 'vosk,soniox',
        SONIOX_API_KEY: 'a-secret',
        VOSK_URL: 'ws://h:1',
        TRANSLATION_PROVIDER: 'libretranslate',
        LIBRETRANSLATE_URL: 'http://h:2',
      }),
    )
    assert.equal(providers.speech, 'vosk, soniox')
    assert.equal(providers.translation, 'libretranslate')
    assert.doesNotMatch(JSON.stringify(providers), /secret|\/\/h/)
  })

  test('STT-70: a translation provider requires its address or key', () => {
    assert.deepEqual(problemsOf({ TRANSLATION_PROVIDER: 'libretranslate' }), [
      'LIBRETRANSLATE_URL must be set, because TRANSLATION_PROVIDER is libretranslate.',
    ])
    assert.deepEqual(problemsOf({ TRANSLATION_PROVIDER: 'deepl' }), [
      'DEEPL_API_KEY must be set, because TRANSLATION_PROVIDER is deepl.',
    ])
    const { translation } = readConfig({ TRANSLATION_PROVIDER: 'deepl', DEEPL_API_KEY: 'key' })
    assert.deepEqual(translation, { provider: 'deepl', url: undefined, apiKey: 'key' })
  })
})
