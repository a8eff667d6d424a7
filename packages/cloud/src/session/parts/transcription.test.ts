import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GlassesToCloud } from '@glasses-cloud/contract'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Transcription } from './transcription.ts'

const A = 'dev.example.a'
const NOW = Date.UTC(2026, 0, 1)
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }

type LocalTranscription = Omit<Extract<GlassesToCloud, { type: 'local_transcription' }>, 'type'>

/** A session with one app that has the subscriptions. */
function setUp(...subscriptions: string[]) {
  let ids = 0
  // Random ids that differ.
  const rig = new SessionRig([createAppDefinition(A)], { random: () => (ids = (ids + 0.137) % 1) })
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, ...subscriptions)
  const recognize = (result: LocalTranscription) => {
    rig.session.handleGlassesMessage(glasses, { type: 'local_transcription', ...result })
    return app.takeMessages().at(-1)?.data as Record<string, unknown> | undefined
  }
  return { rig, glasses, app, recognize }
}

test('SPK-1 SPK-2: the variant with times, speaker and transcribeLanguage', () => {
  const { recognize } = setUp('transcription:fr-FR')
  const data = recognize({
    text: 'bonjour',
    isFinal: true,
    startTime: 1_000,
    endTime: 1_600,
    speakerId: 0,
    transcribeLanguage: 'fr-FR',
    provider: 'sherpa-onnx',
  })
  const { utteranceId, ...rest } = data ?? {}
  assert.equal(typeof utteranceId, 'string')
  assert.deepEqual(rest, {
    type: 'transcription',
    text: 'bonjour',
    isFinal: true,
    transcribeLanguage: 'fr-FR',
    detectedLanguage: 'fr-FR',
    startTime: 1_000,
    endTime: 1_600,
    speakerId: '0',
    duration: 600,
    provider: 'sherpa-onnx',
  })
})

test('SPK-1 SPK-2: the variant with only a language', () => {
  const { recognize, rig } = setUp('transcription:de-DE')
  recognize({ text: 'guten', isFinal: false, language: 'de-DE' })
  rig.clock.advance(300)
  const { utteranceId: _, ...rest } = recognize({ text: 'guten Tag', isFinal: true, language: 'de-DE' }) ?? {}
  assert.deepEqual(rest, {
    type: 'transcription',
    text: 'guten Tag',
    isFinal: true,
    transcribeLanguage: 'de-DE',
    detectedLanguage: 'de-DE',
    startTime: NOW,
    endTime: NOW + 300,
    duration: 300,
    provider: 'phone',
  })
})

test('SPK-1 SPK-2: the default language is en-US; other languages are not sent to the app', () => {
  const { recognize } = setUp('transcription:en-US')
  assert.equal(recognize({ text: 'hi', isFinal: true })?.transcribeLanguage, 'en-US')
  assert.equal(recognize({ text: 'hola', isFinal: true, language: 'es-ES' }), undefined)
})

test('SPK-3: an utterance keeps its id and start time until its final result; the next one has others', () => {
  const { recognize, rig } = setUp('transcription:en-US')
  const first = recognize({ text: 'he', isFinal: false })
  rig.clock.advance(100)
  const second = recognize({ text: 'hel', isFinal: false, startTime: 5 })
  const final = recognize({ text: 'hello', isFinal: true })
  rig.clock.advance(100)
  const next = recognize({ text: 'again', isFinal: false })
  assert.ok(first?.utteranceId)
  assert.equal(second?.utteranceId, first.utteranceId)
  assert.equal(final?.utteranceId, first.utteranceId)
  assert.deepEqual([first.startTime, second?.startTime, final?.startTime], [NOW, NOW, NOW])
  assert.notEqual(next?.utteranceId, first.utteranceId)
  assert.equal(next?.startTime, NOW + 200)
})

test('SPK-3: each speaker and language has its own utterance', () => {
  const { recognize } = setUp('transcription:auto')
  const ada = recognize({ text: 'a', isFinal: false, speakerId: 1 })
  const bob = recognize({ text: 'b', isFinal: false, speakerId: 2 })
  const eva = recognize({ text: 'c', isFinal: false, speakerId: 1, language: 'es-ES' })
  recognize({ text: 'bb', isFinal: true, speakerId: 2 })
  const adaAgain = recognize({ text: 'aa', isFinal: true, speakerId: '1' })
  assert.equal(new Set([ada?.utteranceId, bob?.utteranceId, eva?.utteranceId]).size, 3)
  assert.equal(adaAgain?.utteranceId, ada?.utteranceId)
})

test('SPK-4: voice activity in every spelling is published as the stream VAD', () => {
  const { rig, glasses, app } = setUp('VAD')
  for (const type of ['VAD', 'vad'] as const) {
    for (const status of [true, false, 'true', 'false'] as const) {
      app.takeMessages()
      rig.session.handleGlassesMessage(glasses, { type, status })
      const [frame, ...more] = app.takeMessages()
      assert.equal(more.length, 0)
      assert.equal(frame?.streamType, 'VAD')
      assert.deepEqual(frame?.data, { type: 'VAD', status })
    }
  }
})

test('SPK-2 SPK-10: a result is in the transcript under the id that apps received', () => {
  const { recognize, rig } = setUp('transcription:en-US')
  recognize({ text: 'hel', isFinal: false })
  const final = recognize({ text: 'hello', isFinal: true })
  const access = rig.session.part(Transcription).transcripts(A, 'en-US', EVER)
  assert.deepEqual(access, {
    ok: true,
    segments: [{ resultId: final?.utteranceId, text: 'hello', timestamp: NOW, isFinal: true }],
  })
})
