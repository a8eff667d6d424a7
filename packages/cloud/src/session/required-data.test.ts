import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataRequirements, requiredData } from './required-data.ts'

test('MIC-1: exactly the data that is needed is required, by the place of recognition', () => {
  const cases: [Partial<DataRequirements>, string[]][] = [
    [{}, []],
    [{ needsAudio: true }, ['pcm']],
    [{ needsSpeech: true }, ['transcription']],
    [{ needsAudio: true, needsSpeech: true }, ['pcm', 'transcription']],
    [{ needsAudio: true, recognition: 'cloud' }, ['pcm']],
    [{ needsSpeech: true, recognition: 'cloud' }, ['pcm']],
    [{ needsAudio: true, needsSpeech: true, recognition: 'cloud' }, ['pcm']],
    [{ recognition: 'cloud-unavailable' }, []],
    [{ needsAudio: true, recognition: 'cloud-unavailable' }, ['pcm']],
    [{ needsSpeech: true, recognition: 'cloud-unavailable' }, ['pcm', 'transcription']],
    [{ needsSpeech: true, recognition: 'cloud', localOnly: true }, ['transcription']],
    [{ needsSpeech: true, recognition: 'cloud-unavailable', localOnly: true }, ['transcription']],
    [{ needsAudio: true, recognition: 'cloud', localOnly: true }, ['pcm']],
  ]
  const none = { needsAudio: false, needsSpeech: false, recognition: 'phone', localOnly: false } as const
  for (const [given, expected] of cases)
    assert.deepEqual(requiredData({ ...none, ...given }), expected, JSON.stringify(given))
})
