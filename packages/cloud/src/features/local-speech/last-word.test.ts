import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  ENGLISH,
  ENGLISH_PAIR,
  type TinyModelName,
  toneSpeech,
  writeTinyModel,
} from '../../../test/support/tiny-speech-models/index.ts'
import type { SpeechModel } from '../speech-models/index.ts'
import { loadRecognizer } from './load-recognizer.ts'
import { loadSpotter } from './load-spotter.ts'
import { BYTES_PER_MS } from './recognition-engine.ts'
import { WorkMeter } from './work-meter.ts'

const WORDS = ['alpha', 'bravo', 'bravo', 'alpha']
/** The ends of the words are everywhere in a chunk of 1.28 s. */
const LEADS_MS = Array.from({ length: 9 }, (_, index) => index * 150)

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'last-word-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function modelOf(name: TinyModelName) {
  const { model, folder: path } = await writeTinyModel(name, folder)
  return { model: model as unknown as SpeechModel, folder: path }
}

/** Sound that ends with its last word, or some silence later, in pieces as they arrive. */
function* piecesOf(words: readonly string[], leadMs: number, tailMs: number, language = ENGLISH) {
  const { pcm } = toneSpeech(words, { language, leadMs, tailMs })
  for (let at = 0; at < pcm.length; at += 100 * BYTES_PER_MS) yield pcm.subarray(at, at + 100 * BYTES_PER_MS)
}

describe('the last word', () => {
  for (const name of [
    'streamingEnglish',
    'streamingEnglishSlow',
    'offlineEnglish',
    'offlineEnglishJapanese',
  ] as const)
    test(`LSP-15: ${name} recognizes every word, wherever the sound ends`, async () => {
      const finals: string[] = []
      let finalized = 0
      const engine = loadRecognizer(await modelOf(name), [], new WorkMeter(), {
        segment: (_, { text, isFinal }) => void (isFinal && finals.push(text)),
        finalized: () => {
          finalized += 1
        },
        consumed: () => {},
      })
      const language = name === 'offlineEnglishJapanese' ? ENGLISH_PAIR : ENGLISH
      engine.open(1, 'en')
      for (const leadMs of LEADS_MS)
        for (const tailMs of [0, 400]) {
          for (const pcm of piecesOf(WORDS, leadMs, tailMs, language)) {
            engine.push(1, pcm)
            engine.step()
          }
          engine.finalize(1)
          while (engine.step() !== undefined);
          assert.equal(finals.splice(0).join(' '), WORDS.join(' '), `${leadMs} ms before, ${tailMs} ms after`)
        }
      assert.equal(finalized, 2 * LEADS_MS.length)
    })

  for (const name of ['keywordSpotter', 'keywordSpotterSlow'] as const)
    test(`WAKE-5 LSP-15: ${name} detects a phrase with which the sound ends`, async () => {
      const detected: string[] = []
      const engine = loadSpotter(await modelOf(name), new WorkMeter(), {
        opened: () => {},
        detected: (_, phrase) => void detected.push(phrase),
        consumed: () => {},
      })
      engine.open(1, ['alpha bravo'])
      for (const leadMs of LEADS_MS) {
        for (const pcm of piecesOf(['alpha', 'bravo'], leadMs, 0)) engine.push(1, pcm)
        engine.pause(1)
        while (engine.step() !== undefined);
        assert.deepEqual(detected.splice(0), ['alpha bravo'], `${leadMs} ms before`)
      }
    })
})
