import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ENGLISH, toneSpeech, writeTinyModel } from '../../../test/support/tiny-speech-models/index.ts'
import { loadOfflineCtc } from '../../../test/support/tiny-speech-models/library.ts'
import { joined, toSamples } from './recognition-engine.ts'
import { loadAnalysis } from './result-analysis.ts'
import { UtteranceEngine } from './utterance-engine.ts'
import { WorkMeter } from './work-meter.ts'

const DECODING_MS = 300

/** An engine on a machine where each decoding takes `DECODING_MS`. */
async function createEngine(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'utterance-engine-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const state = { now: 0, texts: [] as string[], heard: new Float32Array() }
  const recognizer = loadOfflineCtc(await writeTinyModel('offlineEnglish', folder))
  const decode = recognizer.decode.bind(recognizer)
  const createStream = recognizer.createStream.bind(recognizer)
  recognizer.createStream = () => {
    const stream = createStream()
    const acceptWaveform = stream.acceptWaveform.bind(stream)
    stream.acceptWaveform = (audio) => {
      state.heard = new Float32Array(audio.samples)
      acceptWaveform(audio)
    }
    return stream
  }
  recognizer.decode = (stream) => {
    decode(stream)
    state.now += DECODING_MS
  }
  const now = () => state.now
  const engine = new UtteranceEngine({
    recognizer,
    setLanguage: () => undefined,
    language: 'en',
    analysis: loadAnalysis([]),
    meter: new WorkMeter(now),
    events: {
      segment: (_stream, { text }) => void state.texts.push(text),
      finalized: () => undefined,
      consumed: () => undefined,
    },
    now,
  })
  return { state, engine }
}

const speech = (...words: string[]) => toneSpeech(words, { language: ENGLISH, tailMs: 200 }).pcm

test('LSP-2: interim text comes after its pause, without new audio', async (t) => {
  const { state, engine } = await createEngine(t)
  engine.open(1, undefined)
  engine.push(1, speech('alpha', 'bravo'))
  assert.equal(engine.step(), 0)
  engine.push(1, speech('charlie', 'alpha'))
  const pauseMs = engine.step()
  assert.equal(pauseMs, DECODING_MS * 4)
  assert.deepEqual(state.texts, ['alpha bravo'])
  state.now += pauseMs
  assert.equal(engine.step(), 0)
  assert.deepEqual(state.texts, ['alpha bravo', 'alpha bravo charlie alpha'])
  assert.equal(engine.step(), undefined, 'there is nothing to do')
})

test('LSP-15: silence follows sound that ends with its last word', async (t) => {
  const { state, engine } = await createEngine(t)
  engine.open(1, undefined)
  const { pcm } = toneSpeech(['alpha', 'bravo'], { language: ENGLISH })
  engine.push(1, pcm)
  engine.finalize(1)
  while (engine.step() !== undefined);
  assert.deepEqual(state.texts.at(-1), 'alpha bravo')
  assert.deepEqual(state.heard, joined([toSamples(pcm), new Float32Array(16 * 300)]))
})
