import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpeechDelays, summarizeDelays } from './speech-delays.ts'

test('each utterance has the delays of its first interim and of its final transcript', () => {
  const delays = new SpeechDelays()
  delays.addTranscript('say', false, 1_000)
  delays.addDisplay(1_040)
  delays.addTranscript('say hello', false, 1_120)
  delays.addTranscript('say hello there', true, 1_240)
  delays.addDisplay(1_265)
  delays.addDisplay(1_900)
  delays.addTranscript('one more', true, 2_000)
  assert.deepEqual(
    delays.utterances.map(({ words, at, interimMs, finalMs }) => [words, at, interimMs, finalMs]),
    [
      ['say hello there', 1_000, 40, 25],
      ['one more', 2_000, undefined, undefined],
    ],
  )
})

test('content long after the words does not belong to them, and old utterances are forgotten', () => {
  const delays = new SpeechDelays()
  delays.addTranscript('nobody answers', true, 1_000)
  delays.addDisplay(60_000)
  assert.equal(delays.utterances[0]?.finalMs, undefined)
  for (let index = 0; index < 30; index += 1) delays.addTranscript(`words ${index}`, true, index)
  assert.equal(delays.utterances.length, 20)
  assert.equal(delays.utterances.at(-1)?.words, 'words 29')
})

test('the summary has the middle and the largest delay', () => {
  assert.equal(summarizeDelays([]), undefined)
  assert.deepEqual(summarizeDelays([30, 10, 200]), { median: 30, max: 200 })
  assert.deepEqual(summarizeDelays([30, 10]), { median: 10, max: 30 })
})

test('sound counts from its begin and from its last loud moment', () => {
  const delays = new SpeechDelays()
  for (const at of [1_000, 1_300]) delays.addSound(at)
  delays.addDisplay(1_400)
  // The display in between was not the one after the last sound.
  delays.addSound(1_600)
  delays.addDisplay(1_850)
  delays.addSound(2_500)
  assert.deepEqual(
    delays.utterances.map(({ words, at, interimMs, finalMs }) => [words, at, interimMs, finalMs]),
    [
      [undefined, 1_000, 400, 250],
      [undefined, 2_500, undefined, undefined],
    ],
  )
})
