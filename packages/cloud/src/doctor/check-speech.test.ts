import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { writeTinyModel } from '../../test/support/tiny-speech-models/index.ts'
import { readConfig } from '../config/index.ts'
import { ModelFolder } from '../features/local-speech/testing/model-folder.ts'
import type { InstalledModels, SpeechModel } from '../features/speech-models/index.ts'
import { FakeSpeechServer, speechKey } from '../features/tts/testing/fake-speech-server.ts'
import { checkSpeech } from './check-speech.ts'

const check = async (env: Record<string, string>, models: InstalledModels = new ModelFolder()) =>
  (await checkSpeech(readConfig(env), models)).map(({ level, text }) => `${level}: ${text}`)

describe('doctor: speech', () => {
  test('TTS-60: the doctor reports whether text to speech works, and what to do if it does not', async (t) => {
    const { url } = await FakeSpeechServer.start(t)
    assert.deepEqual(await check({ TTS_PROVIDER: 'flite' }), ['ok: flite responds'])
    const [german] = await check({ TTS_PROVIDER: 'flite', TTS_VOICE: 'de' })
    assert.match(german ?? '', /^error: TTS_VOICE is invalid: flite has no voice for German \(de\)/)
    const disabled = 'note: TTS_PROVIDER is none; GET /api/tts reports that it is not configured'
    assert.deepEqual(await check({ TTS_PROVIDER: 'none' }), [disabled])
    const elevenlabs = { TTS_PROVIDER: 'elevenlabs', TTS_BASE_URL: url }
    assert.deepEqual(await check(elevenlabs), [
      'error: TTS_API_KEY is not set, which TTS_PROVIDER=elevenlabs needs',
    ])
    assert.deepEqual(await check({ ...elevenlabs, TTS_API_KEY: 'wrong' }), [
      `error: ${url} refuses the key; correct TTS_API_KEY`,
    ])
    assert.deepEqual(await check({ ...elevenlabs, TTS_API_KEY: speechKey, TTS_VOICE: 'Rachel' }), [
      'ok: elevenlabs responds',
    ])
    assert.deepEqual(await check({ ...elevenlabs, TTS_API_KEY: speechKey }), [
      'ok: elevenlabs responds',
      'note: TTS_VOICE is not set; every request must name a voice',
    ])
    const nowhere = { TTS_PROVIDER: 'openai', TTS_BASE_URL: 'http://127.0.0.1:9' }
    assert.deepEqual(await check(nowhere), [
      'error: http://127.0.0.1:9 cannot be reached (ECONNREFUSED); correct TTS_BASE_URL',
    ])
  })

  test('TTS-91: the doctor lists the installed voices, and loads the default one', async (t) => {
    const parent = await mkdtemp(join(tmpdir(), 'doctor-'))
    t.after(() => rm(parent, { recursive: true, force: true }))
    const models = new ModelFolder()
    assert.deepEqual(await check({}, models), [
      'ok: local responds; no voice is installed, and flite speaks English',
    ])
    const [missing] = await check({ TTS_VOICE: 'de' }, models)
    assert.match(missing ?? '', /^error: No voice for German \(de\) is installed: .* set TTS_VOICE/)
    const { folder, model } = await writeTinyModel('voice', parent)
    models.install({ folder, model: model as SpeechModel })
    assert.deepEqual(await check({}, models), ['ok: local responds; installed voices: tiny-voice-en (en)'])
    await truncate(join(folder, 'model.onnx'), 100)
    const [broken] = await check({}, models)
    assert.match(
      broken ?? '',
      /^error: local failed: tiny-voice-en: its process ended with SIGABRT; set TTS_VOICE/,
    )
  })
})
