import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SpeechModel } from '../speech-models/index.ts'
import { voiceConfig } from './voice-config.ts'

function voice(architecture: string, files: Readonly<Record<string, string>>): SpeechModel {
  return {
    id: 'a-voice',
    name: 'A voice',
    kind: 'voice',
    architecture,
    languages: ['en'],
    detectsLanguage: false,
    memoryBytes: 1,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    source: 'https://example.org/voice',
    files: Object.entries(files).map(([name, role]) => ({ name, role, bytes: 1, sha256: '0'.repeat(64) })),
  }
}

const PHONEMES = { 'espeak-ng-data/lang/gmw/en': 'data', 'espeak-ng-data/phontab': 'data' }

describe('configuration of a voice', () => {
  test('TTS-94: the files of each architecture', () => {
    const cases = [
      [
        voice('vits', { 'v.onnx': 'model', 'tokens.txt': 'tokens', ...PHONEMES }),
        { vits: { model: '/m/v.onnx', tokens: '/m/tokens.txt', dataDir: '/m/espeak-ng-data' } },
      ],
      [
        voice('matcha', { 'a.onnx': 'model', 'v.onnx': 'vocoder', 't.txt': 'tokens', 'l.txt': 'lexicon' }),
        {
          matcha: {
            acousticModel: '/m/a.onnx',
            vocoder: '/m/v.onnx',
            tokens: '/m/t.txt',
            lexicon: '/m/l.txt',
          },
        },
      ],
      [
        voice('kokoro', {
          'k.onnx': 'model',
          'voices.bin': 'voices',
          't.txt': 'tokens',
          'en.txt': 'lexicon',
          'zh.txt': 'lexicon',
          ...PHONEMES,
        }),
        {
          kokoro: {
            model: '/m/k.onnx',
            voices: '/m/voices.bin',
            tokens: '/m/t.txt',
            lexicon: '/m/en.txt,/m/zh.txt',
            dataDir: '/m/espeak-ng-data',
          },
        },
      ],
      [
        voice('kitten', { 'k.onnx': 'model', 'voices.bin': 'voices', 't.txt': 'tokens', ...PHONEMES }),
        {
          kitten: {
            model: '/m/k.onnx',
            voices: '/m/voices.bin',
            tokens: '/m/t.txt',
            dataDir: '/m/espeak-ng-data',
          },
        },
      ],
    ] as const
    for (const [model, expected] of cases)
      assert.deepEqual(voiceConfig(model, '/m'), {
        model: { ...expected, numThreads: 2, provider: 'cpu', debug: 0 },
        maxNumSentences: 1,
      })
  })

  test('TTS-94: rules for numbers and dates, and what cannot be loaded', () => {
    const files = { 'v.onnx': 'model', 't.txt': 'tokens' }
    const chinese = voice('vits', {
      ...files,
      'date.fst': 'rule-fst',
      'number.fst': 'rule-fst',
      'r.far': 'rule-far',
    })
    const { ruleFsts, ruleFars } = voiceConfig(chinese, '/m') as Record<string, unknown>
    assert.deepEqual([ruleFsts, ruleFars], ['/m/date.fst,/m/number.fst', '/m/r.far'])
    assert.throws(
      () => voiceConfig(voice('tacotron', files), '/m'),
      /a-voice has the unknown architecture tacotron$/,
    )
    assert.throws(
      () => voiceConfig(voice('kokoro', files), '/m'),
      /a-voice has no file with the role voices$/,
    )
  })
})
