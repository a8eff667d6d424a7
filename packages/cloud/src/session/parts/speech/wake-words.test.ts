import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WakeWord } from '@glasses-cloud/contract'
import { createAppDefinition, SessionRig } from '../../testing/session-rig.ts'
import { APP, OTHER_APP, SpeechRig, type SpeechRigOptions } from '../../testing/speech-rig.ts'
import { Settings } from '../settings.ts'
import { Transcription } from '../transcription.ts'
import { containsPhrase } from './wake-words.ts'

const phrases = (...list: string[]): WakeWord[] => list.map((phrase) => ({ phrase }))

/** A rig whose first app listens for `w1 w2`. */
const createRig = (own = phrases('w1 w2'), options: SpeechRigOptions = {}) => {
  const rig = new SpeechRig({ wakeWords: [own, []], ...options })
  rig.subscribe('wake_word')
  return rig
}

/** The phrases that an app received since the last call; it received nothing else. */
const takePhrases = (rig: SpeechRig, peer = rig.app) => {
  const frames = rig.takeFrames(peer)
  assert.deepEqual(
    [...new Set(frames.map(({ streamType }) => streamType))].join(),
    frames.length > 0 ? 'wake_word' : '',
  )
  return frames.map(({ data }) => data.phrase)
}

const withoutModel = (rig: SpeechRig) => {
  rig.port.setSpotterInstalled(false)
  rig.clock.advance(100)
}

/** The data that the phone was last requested to send. */
const requiredData = (rig: SpeechRig) => rig.glasses.lastOfType('microphone_state_change')?.requiredData

const fromPhone = (rig: SpeechRig, text: string, isFinal = true) =>
  rig.session.session.handleGlassesMessage(rig.glasses, { type: 'local_transcription', text, isFinal })

describe('wake words', () => {
  test('WAKE-2: a subscription without the permission MICROPHONE is rejected', () => {
    const rig = new SessionRig([createAppDefinition(APP, { permissions: [], wakeWords: phrases('w1') })])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(APP)
    rig.subscribe(app, 'wake_word')
    const error = app.takeMessages().find(({ type }) => type === 'permission_error')
    const message = 'The stream wake_word needs the permission MICROPHONE, which the app does not declare'
    assert.deepEqual(error?.details, [{ stream: 'wake_word', requiredPermission: 'MICROPHONE', message }])
    assert.notEqual(glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, true)
  })

  test('WAKE-1 WAKE-3: with a model the phone sends audio, and no speech is transcribed', () => {
    const rig = createRig()
    assert.deepEqual(requiredData(rig), ['pcm'])
    rig.say([3, 1, 2])
    const [frame, ...others] = rig.takeFrames()
    assert.deepEqual(others, [])
    const { timestamp, ...data } = frame?.data ?? {}
    assert.deepEqual(data, { type: 'wake_word', phrase: 'w1 w2', language: 'en-US' })
    assert.match(String(timestamp), /^\d{4}-.*Z$/)
    rig.say([1, 3, 2])
    assert.deepEqual(takePhrases(rig), [])
    assert.equal(rig.first.opened.length, 0)
  })

  test('WAKE-3: silence is not sent to the spotter, and nothing after the last subscription', () => {
    const rig = createRig()
    rig.silence(5_000)
    assert.equal(rig.spotter.receivedBytes, 0)
    rig.subscribe('button_press')
    assert.equal(rig.spotter.streams.size, 0)
    rig.say([1, 2])
    assert.equal(rig.spotter.receivedBytes, 0)
    rig.clock.advance(10_000)
    assert.deepEqual(requiredData(rig), [])
  })

  test('WAKE-3: a stream without speech for a minute is closed, and opened again by speech', () => {
    const rig = createRig()
    rig.silence(61_000)
    assert.deepEqual([rig.spotter.streams.size, rig.port.freeStreams], [0, 100])
    rig.say([1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
    assert.equal(rig.spotter.streams.size, 1)
  })

  test('WAKE-4: two apps receive their own phrases only, with a model and without', () => {
    for (const hasModel of [true, false]) {
      const rig = new SpeechRig({ wakeWords: [phrases('w1 w2', 'w5'), phrases('w2 w3', 'w5')] })
      const other = rig.session.runApp(OTHER_APP)
      rig.subscribe('wake_word')
      rig.session.subscribe(other, 'wake_word')
      if (!hasModel) rig.port.setSpotterInstalled(false)
      rig.clock.advance(100)
      rig.say([1, 2])
      assert.deepEqual([takePhrases(rig), takePhrases(rig, other)], [['w1 w2'], []])
      rig.say([2, 3])
      assert.deepEqual([takePhrases(rig), takePhrases(rig, other)], [[], ['w2 w3']])
      rig.say([5])
      assert.deepEqual([takePhrases(rig), takePhrases(rig, other)], [['w5'], ['w5']])
    }
  })

  test('WAKE-8: without a model transcripts are searched, whose text the app does not receive', () => {
    const rig = createRig()
    withoutModel(rig)
    assert.equal(rig.first.streams.size, 1)
    rig.say([1, 2, 3, 1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'], 'once in an utterance')
    rig.say([1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
    rig.say([1, 22])
    assert.deepEqual(takePhrases(rig), [])
    const access = rig.session.session
      .part(Transcription)
      .transcripts(APP, 'en-US', { from: 0, to: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(access, { ok: true, segments: [] }, 'the text is not kept')
  })

  test('WAKE-8: a phrase is found in interim results', () => {
    const rig = createRig()
    withoutModel(rig)
    rig.say([1, 2, 3, 4], 0)
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
  })

  test('WAKE-8: another app that subscribes to the transcription receives it', () => {
    const rig = createRig()
    withoutModel(rig)
    const other = rig.session.runApp(OTHER_APP)
    rig.session.subscribe(other, 'transcription:en-US')
    rig.clock.advance(100)
    rig.say([1, 2])
    assert.deepEqual(rig.takeFinals(other), ['w1 w2'])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
    assert.equal(rig.first.streams.size, 1)
  })

  test('WAKE-8: phrases are found in any case, between any punctuation, and as whole words', () => {
    const found = ['Hey Computer!', 'so, HEY… computer', 'hey\ncomputer, stop', '«hey» computer']
    for (const text of found) assert.ok(containsPhrase(text, 'hey computer'), text)
    for (const text of ['they computer', 'hey computers', 'heycomputer', 'hey my computer', ''])
      assert.ok(!containsPhrase(text, 'Hey Computer'), text)
    assert.ok(containsPhrase('Où est l’Été ?', 'été'))
    assert.ok(containsPhrase('我说你好小明今天', '你好小明'))
  })

  test('WAKE-8: phrases are found in any form of their letters', () => {
    for (const [text, phrase] of [
      ['안경아 켜 줘'.normalize('NFD'), '안경아'],
      ['안경아 켜 줘', '안경아'.normalize('NFD')],
      ['ok, gro\u00adßer Computer\u200b!', 'Grosser Computer'],
      ['می\u200cخواهم', 'میخواهم'],
      ['شكراً جزيلاً', 'شكرا جزيلا'],
      ['אז שָׁלוֹם מחשב', 'שלום מחשב'],
      ['\ufeffsupercali\u00adfragilistic', 'supercalifragilistic'],
    ] as const)
      assert.ok(containsPhrase(text, phrase), `${text} contains ${phrase}`)
    assert.ok(!containsPhrase('anything', '\u3164'), 'a phrase without letters is in no text')
    assert.ok(!containsPhrase('ประตู', 'ประตี'))
  })

  test('WAKE-9: the phone recognizes where the cloud does not, and its text is searched', () => {
    const rig = createRig(phrases('hey computer'), { hasProviders: false })
    assert.deepEqual(requiredData(rig), ['pcm'], 'a spotter needs no provider')
    withoutModel(rig)
    rig.clock.advance(10_000)
    assert.deepEqual(requiredData(rig), ['transcription'])
    fromPhone(rig, 'hey', false)
    fromPhone(rig, 'hey computer', false)
    fromPhone(rig, 'Hey, computer.')
    assert.deepEqual(takePhrases(rig), ['hey computer'])
  })

  test('WAKE-8: a phrase is searched in its language', () => {
    const own = [{ phrase: 'hallo', language: 'de-DE' }, { phrase: 'hallo there' }]
    const rig = createRig(own, { hasProviders: false })
    withoutModel(rig)
    const hear = (text: string, transcribeLanguage: string) =>
      rig.session.session.handleGlassesMessage(rig.glasses, {
        type: 'local_transcription',
        text,
        isFinal: true,
        transcribeLanguage,
      })
    hear('hallo', 'en-US')
    assert.deepEqual(takePhrases(rig), [])
    hear('hallo there', 'de-DE')
    hear('hallo there', 'en-US')
    assert.deepEqual(takePhrases(rig), ['hallo', 'hallo there'])
  })

  test('WAKE-9: no audio reaches a model while the user requires recognition on the phone', () => {
    const rig = createRig()
    rig.session.osSettings = { ...rig.session.osSettings, enforceLocalTranscription: true }
    rig.session.session.part(Settings).osChanged(() => {})
    rig.clock.advance(10_000)
    assert.deepEqual([requiredData(rig), rig.spotter.streams.size], [['transcription'], 0])
    fromPhone(rig, 'w1 w2')
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
  })

  test('WAKE-6: phrases that the model cannot spell are searched in transcripts, and logged', () => {
    const rig = new SpeechRig({ wakeWords: [phrases('w1 w2', 'w7'), []] })
    rig.spotter.unspelled = ['w7']
    rig.subscribe('wake_word')
    assert.ok(rig.session.events.includes('wake_word_unavailable'))
    rig.clock.advance(100)
    rig.say([1, 2])
    rig.say([7])
    assert.deepEqual(takePhrases(rig), ['w1 w2', 'w7'], 'each once')
  })

  test('WAKE-6: a spotter that can spell none of the phrases receives no audio', () => {
    const rig = new SpeechRig({ wakeWords: [phrases('w7'), []] })
    rig.spotter.unspelled = ['w7']
    rig.subscribe('wake_word')
    rig.clock.advance(100)
    rig.say([7])
    assert.deepEqual([takePhrases(rig), rig.spotter.receivedBytes, rig.spotter.streams.size], [['w7'], 0, 0])
  })

  test('WAKE-7: transcripts are searched while the spotter fails, and not when it works again', () => {
    const rig = createRig()
    rig.spotter.openFailure = 'retryable'
    rig.spotter.drop()
    rig.clock.advance(200)
    rig.say([1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
    assert.equal(rig.first.streams.size, 1)
    rig.spotter.openFailure = undefined
    rig.silence(10_000)
    assert.deepEqual([rig.spotter.streams.size, rig.first.streams.size], [1, 0])
    rig.say([1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
  })

  test('WAKE-3: a model that is installed is used from then on', () => {
    const rig = createRig()
    withoutModel(rig)
    rig.port.setSpotterInstalled(true)
    rig.silence(4_000)
    assert.deepEqual([rig.spotter.streams.size, rig.first.streams.size], [1, 0])
    rig.say([1, 2])
    assert.deepEqual(takePhrases(rig), ['w1 w2'])
  })

  test('WAKE-7: streams to the spotter count as speech streams of the user and of the process', () => {
    const rig = new SpeechRig({ wakeWords: [phrases('w1'), phrases('w2')] })
    const other = rig.session.runApp(OTHER_APP)
    rig.port.maxStreamsPerUser = 1
    rig.subscribe('wake_word')
    assert.equal(rig.port.freeStreams, 99)
    rig.session.subscribe(other, 'wake_word')
    rig.clock.advance(100)
    assert.deepEqual([rig.spotter.streams.size, rig.first.streams.size], [1, 0])
    const [status] = rig.takeFrames(other)
    assert.equal(status?.streamType, 'transcription_status')
    assert.equal(status?.data.reason, 'too_many_streams')
    rig.subscribe('button_press')
    rig.clock.advance(2_000)
    assert.equal(rig.spotter.streams.size + rig.first.streams.size, 1)
    rig.clock.advance(10_000)
    rig.takeFrames(other)
    rig.say([2])
    assert.deepEqual(takePhrases(rig, other), ['w2'])
  })

  test('WAKE-1: phrases of an edited app apply at once', () => {
    const rig = createRig()
    const { session } = rig.session
    session.updateApp(createAppDefinition(APP, { wakeWords: phrases('w8') }))
    rig.clock.advance(100)
    rig.say([1, 2])
    rig.say([8])
    assert.deepEqual(takePhrases(rig), ['w8'])
  })

  test('WAKE-1: a subscription without declared phrases is logged, once, and requests no audio', () => {
    const rig = createRig([])
    rig.subscribe('wake_word', 'button_press')
    assert.equal(rig.session.events.filter((event) => event === 'wake_word_unavailable').length, 1)
    assert.notEqual(rig.glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, true)
  })
})
