import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  ENGLISH,
  type TinyModelFolder,
  toneSpeech,
  writeTinyModel,
} from '../../../test/support/tiny-speech-models/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import { recognizerConfig } from './recognizer-config.ts'
import { loadAnalysis } from './result-analysis.ts'
import { UtteranceEngine } from './utterance-engine.ts'
import { WorkLoop } from './work-loop.ts'
import { WorkMeter } from './work-meter.ts'

const { OfflineRecognizer } = createRequire(import.meta.url)(
  'sherpa-onnx-node',
) as typeof import('sherpa-onnx-node')

const DECODING_MS = 300

let parent = ''
let english: TinyModelFolder

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'utterance-engine-'))
  english = await writeTinyModel('offlineEnglish', parent)
})
after(() => rm(parent, { recursive: true, force: true }))

/** An engine on a machine where each decoding takes `DECODING_MS`. */
function createEngine() {
  const state = { now: 0, texts: [] as string[] }
  const recognizer = new OfflineRecognizer(recognizerConfig(english.model as SpeechModel, english.folder))
  const decode = recognizer.decode.bind(recognizer)
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

describe('recognition of whole utterances', () => {
  test('LSP-2: interim text comes after its pause, without new audio', () => {
    const { state, engine } = createEngine()
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

  test('LSP-2: work that is due later is done without a message', async () => {
    const isDone = Promise.withResolvers<void>()
    const delays = [0, 1, undefined]
    let steps = 0
    const loop = new WorkLoop(
      new WorkMeter(),
      () => {
        const delay = delays[steps]
        steps += 1
        if (steps === delays.length) isDone.resolve()
        return delay
      },
      () => undefined,
    )
    loop.wake()
    await isDone.promise
    assert.equal(steps, 3)
  })
})
