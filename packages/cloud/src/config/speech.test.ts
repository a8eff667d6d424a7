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

  for (const [name, env, addresses] of [
    [
      'OPENAI_STT_URL',
      { STT_PROVIDERS: 'openai' },
      {
        'wss://h:1': 'wss://h:1/v1/realtime',
        'https://h/v1/': 'https://h/v1/realtime',
        'ws://h/a/v1?b=c': 'ws://h/a/v1/realtime?b=c',
        'ws://h/v1/realtime?model=x': 'ws://h/v1/realtime?model=x',
        'ws://h/other': 'ws://h/other',
      },
    ],
    [
      'DEEPGRAM_URL',
      { STT_PROVIDERS: 'deepgram', DEEPGRAM_API_KEY: 'key' },
      {
        'https://api.eu.deepgram.com': 'https://api.eu.deepgram.com/v1/listen',
        'wss://h/v1?diarize=true': 'wss://h/v1/listen?diarize=true',
        'wss://h/v1/listen': 'wss://h/v1/listen',
      },
    ],
    [
      'SONIOX_URL',
      { STT_PROVIDERS: 'soniox', SONIOX_API_KEY: 'key' },
      { 'wss://stt-rt.eu.soniox.com': 'wss://stt-rt.eu.soniox.com/transcribe-websocket' },
    ],
    ['VOSK_URL', { STT_PROVIDERS: 'vosk' }, { 'ws://h:2700': 'ws://h:2700/', 'ws://h/vosk': 'ws://h/vosk' }],
  ] as const)
    test(`STT-70: ${name} may be the server, the base of its API or the endpoint`, () => {
      for (const [given, expected] of Object.entries(addresses)) {
        const [provider] = readConfig({ ...env, [name]: given }).stt.providers
        assert.equal(provider && 'url' in provider && provider.url?.href, expected, given)
      }
    })

  test('STT-70 TTS-51: bases of APIs may contain the start of a path', () => {
    for (const [given, base] of [
      ['http://h:1', 'http://h:1/'],
      ['http://h/v1', 'http://h/'],
      ['https://h/proxy/v1/', 'https://h/proxy'],
      ['https://h/v1/audio/speech', 'https://h/'],
      ['https://h/my-v1', 'https://h/my-v1'],
    ] as const)
      assert.equal(readConfig({ TTS_BASE_URL: given }).tts.baseUrl?.href, base, given)
    const translation = (env: Env) => readConfig(env).translation?.url?.href
    const libre = { TRANSLATION_PROVIDER: 'libretranslate' }
    assert.equal(translation({ ...libre, LIBRETRANSLATE_URL: 'http://h/a/translate' }), 'http://h/a')
    const deepl = { TRANSLATION_PROVIDER: 'deepl', DEEPL_API_KEY: 'key' }
    for (const path of ['', '/v2', '/v2/translate'])
      assert.equal(
        translation({ ...deepl, DEEPL_URL: `https://api.deepl.com${path}` }),
        'https://api.deepl.com/',
      )
    const supabase = { SUPABASE_URL: 'https://x.supabase.co/auth/v1', SUPABASE_ANON_KEY: 'key' }
    assert.equal(readConfig(supabase).auth.supabase?.url, 'https://x.supabase.co')
    const mediaMtx = { STREAM_PROVIDER: 'mediamtx', MEDIAMTX_API_URL: 'http://a:b@h:9997/v3/' }
    assert.equal(readConfig(mediaMtx).streaming.mediamtx?.apiUrl.href, 'http://a:b@h:9997/')
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
