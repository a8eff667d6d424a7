import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataRequirements, requiredData } from './required-data.ts'

const nothing: DataRequirements = {
  needsAudio: false,
  needsSpeech: false,
  offersRecentAudio: false,
  recognition: 'phone',
  localOnly: false,
}

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
  for (const [given, expected] of cases)
    assert.deepEqual(requiredData({ ...nothing, ...given }), expected, JSON.stringify(given))
})

test('MIC-11: AUDIO_PACKAGE, with and without local recognition', () => {
  const speech = { ...nothing, offersRecentAudio: true, needsSpeech: true }
  assert.deepEqual(requiredData(speech), ['pcm', 'transcription'])
  assert.deepEqual(requiredData({ ...speech, localOnly: true }), ['transcription'])
  assert.deepEqual(requiredData({ ...speech, needsSpeech: false }), [], 'not while no app needs speech')
})
