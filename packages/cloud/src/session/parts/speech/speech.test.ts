import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codedSpeech } from '../../testing/coded-speech.ts'
import type { RecordingPeer } from '../../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../../testing/session-rig.ts'
import { APP, OTHER_APP, SpeechRig } from '../../testing/speech-rig.ts'
import { Settings } from '../settings.ts'
import { Transcription } from '../transcription.ts'
import type { TranslationRequest, TranslationResult } from './port.ts'

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER }
const EN = 'transcription:en-US'

const finalsInTranscript = (rig: SpeechRig, language = 'en-US') => {
  const access = rig.session.session.part(Transcription).transcripts(APP, language, EVER)
  assert.ok(access.ok)
  return access.segments.filter(({ isFinal }) => isFinal).map(({ text }) => text)
}

const statuses = (rig: SpeechRig, peer = rig.app) =>
  rig
    .takeFrames(peer)
    .filter(({ streamType }) => streamType === 'transcription_status')
    .map(({ data }) => `${data.status} ${data.stream} ${data.reason ?? ''}`.trim())

/** The data that the phone was last requested to send. */
const requiredData = (rig: SpeechRig) => rig.glasses.lastOfType('microphone_state_change')?.requiredData

const fromPhone = (rig: SpeechRig, text: string, isFinal = true) =>
  rig.session.session.handleGlassesMessage(rig.glasses, { type: 'local_transcription', text, isFinal })

describe('recognition', () => {
  test('STT-1 STT-2: two apps with one language and different options', () => {
    const rig = new SpeechRig()
    const other = rig.session.runApp(OTHER_APP)
    rig.subscribe(EN)
    rig.session.subscribe(other, `${EN}?hints=es%2Cde`)
    rig.clock.advance(100)
    rig.say([1, 2])
    assert.equal(rig.first.streams.size, 1)
    const frames = rig.takeFrames()
    assert.deepEqual([...new Set(frames.map(({ streamType }) => streamType))], [EN])
    const [interim] = frames
    const final = frames.at(-1)
    assert.deepEqual([interim?.data.text, interim?.data.isFinal], ['w1', false])
    assert.deepEqual([final?.data.text, final?.data.isFinal], ['w1 w2', true])
    assert.equal(interim?.data.utteranceId, final?.data.utteranceId)
    assert.equal(final?.data.provider, 'first')
    const otherFinal = rig.takeFrames(other).at(-1)
    assert.equal(otherFinal?.streamType, `${EN}?hints=es%2Cde`)
    assert.deepEqual(otherFinal?.data, final?.data)
    assert.deepEqual(finalsInTranscript(rig), ['w1 w2'])
    assert.deepEqual(rig.first.opened.at(-1)?.hints, ['es', 'de'])
  })

  test('STT-2: the times of a segment are those at which it was spoken', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.silence(5_000)
    const before = rig.clock.now()
    rig.say([1, 2])
    const data = rig.takeFrames().at(-1)?.data
    assert.ok(Math.abs(Number(data?.startTime) - before) <= 40, `${Number(data?.startTime) - before}`)
    assert.ok(Math.abs(Number(data?.duration) - 560) <= 40, String(data?.duration))
  })

  test('STT-3: before the first and after the last subscription', () => {
    const rig = new SpeechRig()
    rig.say([1])
    assert.equal(rig.first.opened.length, 0)
    rig.subscribe(EN)
    assert.equal(rig.first.streams.size, 1)
    rig.subscribe('button_press')
    rig.say([2])
    assert.equal(rig.first.receivedBytes, 0)
    rig.clock.advance(3_000)
    assert.equal(rig.first.streams.size, 0)
    rig.subscribe(EN)
    rig.subscribe('button_press')
    rig.subscribe(EN)
    assert.equal(rig.first.opened.length, 2, 'a subscription that returns keeps the stream')
  })

  test('STT-4: only speech is sent, with the audio before its beginning', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.silence(10_000)
    assert.equal(rig.first.receivedBytes, 0)
    rig.say([1, 2], 3_000)
    assert.deepEqual(rig.takeFinals(), ['w1 w2'])
    const sentMs = rig.first.receivedBytes / 32
    assert.ok(sentMs > 600 && sentMs < 600 + 400 + 700 + 100, String(sentMs))
  })

  test('STT-4: the voice activity of the phone decides, until the audio contradicts it', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    const vad = (status: boolean | 'false') =>
      rig.session.session.handleGlassesMessage(rig.glasses, { type: 'VAD', status })
    vad('false')
    rig.say([1], 0)
    assert.equal(rig.first.receivedBytes, 0)
    vad(true)
    rig.play(codedSpeech([2]))
    vad(false)
    rig.clock.advance(100)
    assert.deepEqual(rig.takeFinals(), ['w1 w2'], 'the word before the report is still within the audio kept')
    rig.silence(2_100)
    rig.say([3])
    assert.deepEqual(rig.takeFinals(), ['w3'], 'a phone that goes on sending has no voice detection')
  })

  test('STT-5: speech while a stream is being opened', () => {
    const rig = new SpeechRig()
    rig.first.openDelayMs = undefined
    rig.second.openFailure = 'retryable'
    rig.subscribe(EN)
    rig.say(
      Array.from({ length: 280 }, (_, index) => index),
      0,
    )
    assert.equal(rig.first.receivedBytes, 0)
    rig.first.openDelayMs = 50
    rig.silence(1_000)
    rig.clock.advance(10_000)
    const words = rig.takeFinals().join(' ').split(' ')
    assert.equal(words.at(-1), 'w279')
    const sentMs = rig.first.receivedBytes / 32
    assert.equal(sentMs, 60_000)
  })

  test('STT-6: an utterance without a pause is finalized after 20 s', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.say(
      Array.from({ length: 80 }, (_, index) => index),
      0,
    )
    assert.ok(rig.takeFinals().length >= 1)
    rig.silence(1_500)
    assert.equal(finalsInTranscript(rig).join(' ').split(' ').length, 80)
  })

  test('STT-6: a long utterance is cut in a gap between words', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    const cuts: number[] = []
    for (let second = 1; second <= 24; second += 1) {
      const words = [0, 1, 2, 3].map((index) => second * 4 + index)
      rig.say(words, second % 4 === 0 ? 250 : 0)
      if (rig.takeFinals().length > 0) cuts.push(second)
    }
    assert.deepEqual(cuts, [12, 24])
    rig.silence(1_500)
    assert.equal(finalsInTranscript(rig).join(' ').split(' ').length, 96)
  })

  test('STT-7: a minute of silence, then speech', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.say([1])
    rig.silence(62_000)
    assert.equal(rig.first.streams.size, 0)
    rig.say([2])
    assert.equal(rig.first.opened.length, 2)
    assert.deepEqual(rig.takeFinals(), ['w1', 'w2'])
  })

  test('STT-8: streams above the limits are refused with the reason, and opened when one is free', () => {
    const rig = new SpeechRig()
    rig.port.maxStreamsPerUser = 2
    rig.subscribe(EN, 'transcription:es-ES', 'transcription:fr-FR')
    assert.equal(rig.first.streams.size, 2)
    assert.deepEqual(statuses(rig), ['unavailable transcription:fr-FR too_many_streams'])
    rig.subscribe(EN, 'transcription:fr-FR')
    assert.deepEqual(statuses(rig), ['available transcription:fr-FR'])

    const full = new SpeechRig()
    full.port.freeStreams = 0
    full.subscribe(EN)
    assert.deepEqual(statuses(full), ['unavailable transcription:en-US too_many_streams'])
    full.port.freeStreams = 1
    full.clock.advance(10_000)
    assert.deepEqual(statuses(full), ['available transcription:en-US'])
    assert.equal(full.port.freeStreams, 0)
    full.session.session.end()
    assert.equal(full.port.freeStreams, 1)
    assert.equal(full.first.streams.size, 0)
  })

  test('STT-85: without a provider that is installed the phone recognizes, until one is', () => {
    const rig = new SpeechRig()
    rig.port.setInstalled(rig.first, false)
    rig.port.setInstalled(rig.second, false)
    rig.subscribe(EN)
    assert.deepEqual(requiredData(rig), ['transcription'])
    rig.say([1])
    fromPhone(rig, 'hello')
    assert.deepEqual([rig.takeFinals(), statuses(rig)], [['hello'], []])
    rig.port.setInstalled(rig.first, true)
    rig.clock.advance(100)
    assert.deepEqual(requiredData(rig), ['pcm'])
    rig.say([2])
    assert.deepEqual([rig.takeFinals(), rig.first.opened.length], [['w2'], 1])
    rig.port.setInstalled(rig.first, false)
    assert.deepEqual(requiredData(rig), ['transcription'])
    fromPhone(rig, 'again')
    assert.deepEqual([rig.takeFinals(), rig.first.streams.size], [['again'], 0])
    rig.session.session.end()
    assert.equal(rig.port.listeners.size, 0)
  })

  test('STT-86: a provider without room is skipped; without another one the reason is too_many_streams', () => {
    const rig = new SpeechRig()
    rig.first.openFailure = 'busy'
    rig.subscribe(EN)
    rig.say([1])
    assert.deepEqual([rig.takeFinals(), rig.second.opened.length], [['w1'], 1])

    const full = new SpeechRig()
    full.first.openFailure = 'busy'
    full.second.openFailure = 'busy'
    full.subscribe(EN)
    full.clock.advance(10_000)
    assert.deepEqual(statuses(full), [`unavailable ${EN} too_many_streams`])
    full.first.openFailure = undefined
    full.clock.advance(60_000)
    full.say([2])
    assert.deepEqual(full.takeFinals(), ['w2'])
  })

  test('STT-9: with recognition on the phone required, nothing is sent to a provider', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    assert.equal(rig.first.streams.size, 1)
    rig.session.osSettings = { ...rig.session.osSettings, enforceLocalTranscription: true }
    rig.session.session.part(Settings).osChanged(() => {})
    rig.session.flush()
    rig.say([1])
    assert.deepEqual([rig.first.streams.size, rig.first.receivedBytes], [0, 0])
    fromPhone(rig, 'w1')
    assert.deepEqual(rig.takeFinals(), ['w1'])
  })
})

/** A session without speech providers: the phone is required to transcribe. */
function setUpPhone() {
  const session = new SessionRig([createAppDefinition(APP), createAppDefinition(OTHER_APP)])
  const rig = { session, glasses: session.connectGlasses(), app: session.runApp(APP) }
  const takeStatuses = (peer: RecordingPeer) =>
    peer.takeMessages().flatMap(({ type, streamType, data, ...fields }) => {
      if ((streamType ?? type) !== 'transcription_status') return []
      const { status, stream, reason = '' } = (data ?? fields) as Record<string, string>
      return [`${status} ${stream} ${reason}`.trim()]
    })
  const report = (status: boolean) =>
    session.session.handleGlassesMessage(rig.glasses, { type: 'VAD', status })
  return {
    ...rig,
    subscribe: (...streams: string[]) => session.subscribe(rig.app, ...streams),
    report,
    /** Reports voice activity for a time. */
    speak(ms: number) {
      report(true)
      session.clock.advance(ms)
      report(false)
    },
    /** Sends audio in real time: a tone, or silence. */
    play(ms: number, level: number) {
      for (let sent = 0; sent < ms; sent += 20) {
        const frame = Buffer.from(new Int16Array(320).fill(level).buffer)
        session.session.handleGlassesAudio(rig.glasses, frame)
        session.clock.advance(20)
      }
    },
    transcribe: (text: string) =>
      session.session.handleGlassesMessage(rig.glasses, {
        type: 'local_transcription',
        text,
        isFinal: false,
      }),
    reconnect() {
      rig.glasses.close(1006, '')
      session.clock.advance(1_000)
      rig.glasses = session.connectGlasses('glasses again')
    },
    statuses: (peer = rig.app) => takeStatuses(peer),
    phoneStatuses: () => takeStatuses(rig.glasses),
  }
}

const NOT_TRANSCRIBING = `unavailable ${EN} phone_not_transcribing`
const TRANSCRIBING = `available ${EN}`

describe('languages of the phone', () => {
  /** A phone that sends text in a language, to an app that is subscribed to some. */
  function setUp(...streams: string[]) {
    const rig = setUpPhone()
    const { session, app, glasses } = rig
    rig.subscribe(...streams)
    app.takeMessages()
    return {
      ...rig,
      glasses,
      say: (language: string, text = 'hi') =>
        session.session.handleGlassesMessage(glasses, {
          type: 'local_transcription',
          text,
          isFinal: true,
          transcribeLanguage: language,
        }),
      frames: () =>
        app.takeMessages().flatMap(({ streamType, data }) => {
          const { transcribeLanguage, text } = Object(data)
          return text === undefined ? [] : [`${streamType} ${transcribeLanguage} ${text}`]
        }),
    }
  }

  test('SUB-16 SPK-2: text in another spelling of the language, or without its region', () => {
    for (const [subscribed, spoken, language] of [
      ['en-US', 'en', 'en-US'],
      ['en_us', 'EN-US', 'en-US'],
      ['en', 'en-GB', 'en-US'],
      ['zh-CN', 'zh-Hans-CN', 'zh-CN'],
      ['he-IL', 'iw', 'he-IL'],
    ] as const) {
      const { say, frames } = setUp(`transcription:${subscribed}`)
      say(spoken)
      assert.deepEqual(frames(), [`transcription:${subscribed} ${language} hi`])
    }
    const { say, frames } = setUp('transcription:en-US', 'transcription:en-GB', 'transcription:auto')
    say('en')
    const received = ['en-US en-US', 'en-GB en-GB', 'auto en'].map((each) => `transcription:${each} hi`)
    assert.deepEqual(frames(), received)
    say('en-GB')
    assert.deepEqual(frames(), ['transcription:en-GB en-GB hi', 'transcription:auto en-GB hi'])
  })

  test('SUB-16 SPK-11: one transcript contains the text once, for tags that match its language', () => {
    const { session, say } = setUp('transcription:en-US', 'transcription:en-GB', 'transcription:auto')
    say('en')
    say('de_de', 'hallo')
    const textsOf = (tag: string) => {
      const access = session.session.part(Transcription).transcripts(APP, tag, { from: 0, to: 1e15 })
      return access.ok ? access.segments.map(({ text }) => text) : assert.fail()
    }
    for (const tag of ['en', 'en-US', 'en_GB']) assert.deepEqual(textsOf(tag), ['hi'], tag)
    assert.deepEqual([textsOf('de-AT'), textsOf('de'), textsOf('fr')], [[], ['hallo'], []])
  })

  test('STT-87: a phone that recognizes another language than the subscribed one is reported', () => {
    const { session, say, statuses, phoneStatuses } = setUp('transcription:pt-PT', 'transcription:en-US')
    phoneStatuses()
    say('pt-BR')
    say('en')
    assert.deepEqual(statuses(), [])
    session.clock.advance(3_000)
    const unsupported = 'unavailable transcription:pt-PT unsupported_language'
    assert.deepEqual([statuses(), phoneStatuses()], [[unsupported], [unsupported]])
    say('pt-PT')
    assert.deepEqual(
      [statuses(), phoneStatuses()],
      [['available transcription:pt-PT'], ['available transcription:pt-PT']],
    )
    say('pt-BR')
    session.clock.advance(10_000)
    assert.deepEqual(statuses(), [], 'a phone may recognize several languages in turn')
  })
})

describe('phone that does not transcribe', () => {
  test('STT-80: 15 s of speech by VAD', () => {
    const { session, subscribe, speak, report, statuses, phoneStatuses } = setUpPhone()
    subscribe(EN)
    speak(10_000)
    session.clock.advance(60_000)
    speak(4_900)
    assert.deepEqual([statuses(), phoneStatuses()], [[], []], 'pauses do not count')
    report(true)
    session.clock.advance(100)
    assert.deepEqual([statuses(), phoneStatuses()], [[NOT_TRANSCRIBING], [NOT_TRANSCRIBING]])
    session.clock.advance(600_000)
    speak(60_000)
    assert.deepEqual([statuses(), phoneStatuses()], [[], []])
  })

  test('STT-80: audio that contains speech counts by its length, also with reports', () => {
    const { subscribe, play, report, statuses } = setUpPhone()
    subscribe(EN)
    for (let sentence = 0; sentence < 7; sentence += 1) {
      play(2_000, 3_000)
      play(3_000, 0)
    }
    report(true)
    play(900, 3_000)
    play(9_000, 0)
    assert.deepEqual(statuses().length, 1, 'the report counts for silence until the audio contradicts it')

    const quiet = setUpPhone()
    quiet.subscribe(EN)
    quiet.play(60_000, 20)
    quiet.report(true)
    quiet.play(60_000, 20)
    assert.deepEqual(quiet.statuses(), [])
  })

  test('STT-81: a transcription starts the measurement again, and ends what was reported', () => {
    const { subscribe, speak, transcribe, statuses, phoneStatuses } = setUpPhone()
    subscribe(EN)
    speak(14_000)
    transcribe('hello')
    speak(14_000)
    assert.deepEqual(statuses(), [])
    speak(1_000)
    transcribe(' ')
    assert.deepEqual(statuses(), [NOT_TRANSCRIBING])
    phoneStatuses()
    transcribe('hello')
    assert.deepEqual([statuses(), phoneStatuses()], [[TRANSCRIBING], [TRANSCRIBING]])
    transcribe('hello again')
    speak(14_900)
    assert.deepEqual(statuses(), [])
    speak(100)
    assert.deepEqual(statuses(), [NOT_TRANSCRIBING])
  })

  test('STT-82: nothing is measured without a subscription, and apps that subscribe later are told', () => {
    const { session, subscribe, speak, report, statuses, phoneStatuses } = setUpPhone()
    subscribe('button_press', 'VAD')
    speak(60_000)
    report(true)
    session.clock.advance(60_000)
    subscribe(EN)
    session.clock.advance(14_900)
    assert.deepEqual(statuses(), [])
    session.clock.advance(100)
    assert.deepEqual(statuses(), [NOT_TRANSCRIBING])
    const other = session.runApp(OTHER_APP)
    session.subscribe(other, EN, 'translation:fr-FR-to-de-DE')
    assert.deepEqual(statuses(other).sort(), [
      NOT_TRANSCRIBING,
      'unavailable transcription:fr-FR phone_not_transcribing',
    ])
    assert.deepEqual(statuses(), [])
    subscribe()
    session.subscribe(other)
    phoneStatuses()
    subscribe(EN)
    session.clock.advance(14_900)
    assert.deepEqual([statuses(), phoneStatuses()], [[], []], 'a new subscription starts again')
  })

  test('STT-83: phones that connect during and after a report', () => {
    const { session, subscribe, speak, report, reconnect, transcribe, statuses, phoneStatuses } = setUpPhone()
    subscribe(EN)
    speak(10_000)
    report(true)
    session.clock.advance(4_000)
    reconnect()
    session.clock.advance(60_000)
    speak(14_900)
    assert.deepEqual(statuses(), [])
    speak(100)
    assert.deepEqual([statuses(), phoneStatuses()], [[NOT_TRANSCRIBING], [NOT_TRANSCRIBING]])
    reconnect()
    speak(60_000)
    assert.deepEqual([statuses(), phoneStatuses()], [[], [NOT_TRANSCRIBING]])
    transcribe('hello')
    assert.deepEqual([statuses(), phoneStatuses()], [[TRANSCRIBING], [TRANSCRIBING]])
  })

  test('STT-83: a phone that disconnects while the user speaks is not reported', () => {
    const { session, subscribe, report, glasses, statuses } = setUpPhone()
    subscribe(EN)
    report(true)
    glasses.close(1006, '')
    session.clock.advance(50_000)
    assert.deepEqual(statuses(), [])
  })

  test('STT-84: with providers nothing is measured, unless the user requires recognition on the phone', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    const speak = (ms: number) => {
      for (const status of [true, false]) {
        rig.session.session.handleGlassesMessage(rig.glasses, { type: 'VAD', status })
        if (status) rig.clock.advance(ms)
      }
    }
    const enforce = (enforceLocalTranscription: boolean) => {
      rig.session.osSettings = { ...rig.session.osSettings, enforceLocalTranscription }
      rig.session.session.part(Settings).osChanged(() => {})
      rig.session.flush()
    }
    speak(60_000)
    assert.deepEqual(statuses(rig), [])
    enforce(true)
    speak(15_000)
    assert.deepEqual(statuses(rig), [NOT_TRANSCRIBING])
    enforce(false)
    assert.deepEqual(statuses(rig), [TRANSCRIBING])
    rig.session.session.handleGlassesMessage(rig.glasses, { type: 'VAD', status: true })
    rig.say([1])
    assert.deepEqual(rig.takeFinals(), ['w1'])
  })
})

describe('fail-over', () => {
  test('STT-20: a provider that fails during an utterance', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.say([1, 2])
    rig.say([3, 4], 0)
    rig.first.openFailure = 'retryable'
    rig.first.drop()
    const failedAt = rig.clock.monotonicNow()
    while (!rig.takeFrames().some(({ data }) => data.provider === 'second')) {
      rig.say([5], 0)
      assert.ok(rig.clock.monotonicNow() - failedAt < 2_000, 'the next provider takes over within 2 s')
    }
    rig.silence(1_500)
    const words = finalsInTranscript(rig).join(' ').split(' ')
    assert.deepEqual(words.slice(0, 4), ['w1', 'w2', 'w3', 'w4'])
    assert.deepEqual(rig.port.failovers, ['first'])
  })

  test('STT-20: a provider that does not accept the stream is replaced within 2 s', () => {
    const rig = new SpeechRig()
    rig.first.openDelayMs = undefined
    rig.subscribe(EN)
    rig.say([1, 2, 3, 4, 5, 6, 7], 0)
    assert.equal(rig.second.streams.size, 1)
    rig.say([8])
    assert.deepEqual(rig.takeFinals(), ['w1 w2 w3 w4 w5 w6 w7 w8'])
  })

  test('STT-21: a preferred provider that recovers', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.first.openFailure = 'retryable'
    rig.first.drop()
    rig.say([1])
    assert.equal(rig.second.streams.size, 1)
    rig.first.openFailure = undefined
    rig.say(
      Array.from({ length: 20 }, (_, index) => index + 2),
      0,
    )
    assert.equal(rig.second.streams.size, 1, 'not within an utterance')
    rig.silence(1_500)
    assert.deepEqual([rig.first.streams.size, rig.second.streams.size], [1, 0])
    rig.say([50])
    const finals = rig.takeFrames().filter(({ data }) => data.isFinal)
    assert.deepEqual([finals.at(-1)?.data.text, finals.at(-1)?.data.provider], ['w50', 'first'])
    assert.equal(
      finals
        .map(({ data }) => data.text)
        .join(' ')
        .split(' ').length,
      22,
    )
  })

  test('STT-22: a provider that rejects the key is tried again once its delay is over, and then preferred', () => {
    const rig = new SpeechRig()
    rig.first.openFailure = 'authentication'
    rig.subscribe(EN)
    rig.silence(50_000)
    rig.first.openFailure = undefined
    rig.say([1])
    assert.equal(rig.first.opened.length, 1)
    rig.silence(30_000)
    rig.say([2])
    assert.equal(rig.first.opened.length, 2)
    assert.deepEqual(rig.takeFinals(), ['w1', 'w2'])
    assert.deepEqual([rig.first.streams.size, rig.second.streams.size], [1, 0])
  })

  test('STT-22: the only provider, whose key is accepted again', () => {
    const rig = new SpeechRig()
    rig.first.openFailure = 'authentication'
    rig.second.languages = ['fr']
    rig.subscribe(EN)
    rig.silence(50_000)
    assert.equal(rig.first.opened.length, 1)
    rig.first.openFailure = undefined
    rig.silence(30_000)
    rig.say([1])
    assert.deepEqual(rig.takeFinals(), ['w1'])
  })

  test('STT-23: a session of maximum length is opened again at once; no word is lost or repeated', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.say([1])
    rig.silence(5_000)
    rig.say([2, 3], 0)
    rig.first.drop('expired')
    rig.say([4])
    assert.deepEqual(rig.takeFinals(), ['w1', 'w2 w3 w4'])
    assert.equal(rig.second.opened.length, 0)
  })

  test('STT-24: a provider that does not finalize in time has failed', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.silence(100)
    rig.first.stall()
    rig.say([1, 2])
    rig.clock.advance(6_000)
    assert.deepEqual(rig.takeFinals(), ['w1 w2'])
    assert.equal(rig.second.opened.length, 1)
  })

  test('STT-25: a preferred provider without the language', () => {
    const rig = new SpeechRig()
    rig.first.languages = ['en-US']
    rig.subscribe('transcription:es-ES', EN)
    assert.deepEqual(
      [rig.first.opened, rig.second.opened].map((opened) => opened.map(({ language }) => language)),
      [['en-US'], ['es-ES']],
    )
  })
})

describe('relay', () => {
  test('STT-30: an app with auto beside apps with languages', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN, 'transcription:auto')
    rig.say([1, 2])
    const finals = rig.takeFrames().filter(({ data }) => data.isFinal)
    assert.deepEqual(finals.map(({ streamType }) => streamType).sort(), ['transcription:auto', EN])
    assert.deepEqual(finalsInTranscript(rig), ['w1 w2'])
    rig.subscribe('transcription:auto')
    rig.clock.advance(3_000)
    rig.say([3])
    assert.deepEqual(
      finalsInTranscript(rig),
      ['w1 w2', 'w3'],
      'the detected language without a region is completed',
    )
  })

  test('STT-31: language identification is off if every subscription to the language disables it', () => {
    const rig = new SpeechRig()
    rig.subscribe(`${EN}?no-language-identification=true`)
    assert.equal(rig.first.opened.at(-1)?.identifiesLanguage, false)
    const other = rig.session.runApp(OTHER_APP)
    rig.session.subscribe(other, EN)
    rig.say([1])
    assert.equal(rig.first.opened.at(-1)?.identifiesLanguage, true, 'changed options apply after a pause')
    assert.equal(rig.first.streams.size, 1)
  })

  test('STT-32: results of the phone are ignored while a provider recognizes', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.say([1], 0)
    fromPhone(rig, 'w1')
    rig.silence(1_000)
    assert.deepEqual(rig.takeFinals(), ['w1'])
  })

  test('STT-33: while no provider works the phone stands in, and no word is reported twice when one works again', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.first.openFailure = 'retryable'
    rig.second.openFailure = 'retryable'
    rig.first.drop()
    rig.silence(3_000)
    assert.deepEqual(requiredData(rig), ['pcm', 'transcription'])
    rig.say([1], 0)
    fromPhone(rig, 'w1', false)
    rig.first.openFailure = undefined
    rig.second.openFailure = undefined
    rig.say([2], 0)
    fromPhone(rig, 'w1 w2', true)
    rig.silence(8_000)
    rig.say([3])
    assert.deepEqual(rig.takeFinals(), ['w1 w2', 'w3'])
    rig.silence(10_000)
    assert.deepEqual(requiredData(rig), ['pcm'])
  })

  test('STT-33: the end of what the phone recognized does not discard what a provider recognizes since', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.first.openFailure = 'retryable'
    rig.second.openFailure = 'retryable'
    rig.first.drop()
    rig.silence(3_000)
    fromPhone(rig, 'many', false)
    rig.first.openFailure = undefined
    rig.second.openFailure = undefined
    rig.say(
      Array.from({ length: 40 }, (_, number) => number),
      0,
    )
    rig.silence(800)
    fromPhone(rig, 'many words', true)
    rig.first.stall()
    rig.say([50], 2_000)
    rig.first.drop()
    rig.silence(20_000)
    assert.deepEqual(rig.takeFinals(), ['many words', 'w50'])
  })
})

test('STT-27: results during a reconnect', () => {
  const rig = new SpeechRig()
  const other = rig.session.runApp(OTHER_APP)
  rig.subscribe(EN)
  rig.session.subscribe(other, EN)
  rig.session.session.detachApp(APP, rig.app)
  rig.say([1, 2, 3])
  rig.say([4, 5, 6])
  const again = rig.session.connectApp(APP)
  assert.ok(again)
  const waiting = rig.takeFrames(again).map(({ data }) => [data.text, data.isFinal])
  assert.deepEqual(waiting, [
    ['w1 w2 w3', true],
    ['w4 w5 w6', true],
  ])
  assert.ok(rig.takeFrames(other).length > 2, 'an app that is connected receives all of them')
})

describe('status', () => {
  test('STT-34: apps and the phone are told within 10 s that speech is not recognized, and when it is again', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.first.openFailure = 'retryable'
    rig.second.openFailure = 'quota'
    rig.first.drop()
    const other = rig.session.runApp(OTHER_APP)
    rig.clock.advance(9_000)
    assert.deepEqual(statuses(rig), ['unavailable transcription:en-US provider_unavailable'])
    const toPhone = rig.glasses.lastOfType('transcription_status')
    assert.deepEqual(
      [toPhone?.status, toPhone?.stream, toPhone?.reason],
      ['unavailable', EN, 'provider_unavailable'],
    )
    rig.session.subscribe(other, EN)
    assert.deepEqual(statuses(rig, other), ['unavailable transcription:en-US provider_unavailable'])
    rig.glasses = rig.session.connectGlasses()
    assert.equal(rig.glasses.lastOfType('transcription_status')?.status, 'unavailable')
    rig.first.openFailure = undefined
    rig.clock.advance(60_000)
    assert.deepEqual(statuses(rig), ['available transcription:en-US'])
    assert.deepEqual(statuses(rig, other), ['available transcription:en-US'])
    assert.equal(rig.glasses.lastOfType('transcription_status')?.status, 'available')
  })

  test('STT-34: a lasting reason is reported at once', () => {
    const rig = new SpeechRig()
    rig.first.languages = ['en-US']
    rig.second.languages = ['en-US']
    rig.subscribe('transcription:es-ES')
    assert.deepEqual(statuses(rig), ['unavailable transcription:es-ES unsupported_language'])
    const rejected = new SpeechRig()
    rejected.first.openFailure = 'authentication'
    rejected.second.openFailure = 'authentication'
    rejected.subscribe(EN)
    assert.deepEqual(statuses(rejected), ['unavailable transcription:en-US key_rejected'])
  })

  test('STT-34: a fail-over in time is not reported', () => {
    const rig = new SpeechRig()
    rig.subscribe(EN)
    rig.first.openFailure = 'retryable'
    rig.first.drop()
    rig.clock.advance(30_000)
    assert.deepEqual(statuses(rig), [])
  })
})

describe('translation', () => {
  const translator = () => {
    const requests: (TranslationRequest & { respond(result?: TranslationResult): void })[] = []
    const translate = (request: TranslationRequest, done: (result: TranslationResult) => void) => {
      const translated: TranslationResult = { ok: true, text: `${request.target}: ${request.text}` }
      requests.push({ ...request, respond: (result = translated) => done(result) })
    }
    return { requests, translate }
  }

  test('STT-35: a provider that translates', () => {
    const rig = new SpeechRig({ translates: true })
    rig.subscribe(EN, 'translation:en-US-to-de-DE')
    rig.say([1, 2])
    assert.equal(rig.first.streams.size, 1)
    const { streamType, data } = rig.takeFrames().findLast(({ data }) => data.type === 'translation') ?? {}
    assert.equal(streamType, 'translation:en-US-to-de-DE')
    const { utteranceId: _, startTime: _start, endTime: _end, duration: _duration, ...rest } = data ?? {}
    assert.deepEqual(rest, {
      type: 'translation',
      text: 'W1 W2',
      originalText: 'w1 w2',
      isFinal: true,
      transcribeLanguage: 'en-US',
      translateLanguage: 'de-DE',
      didTranslate: true,
      provider: 'first',
    })
  })

  test('STT-36: finals and interims for a translation provider', () => {
    const { requests, translate } = translator()
    const rig = new SpeechRig({ translate })
    rig.subscribe('translation:en-US-to-de-DE')
    rig.say([1, 2, 3, 4, 5, 6, 7, 8], 0)
    assert.equal(requests.length, 1, 'one at a time')
    requests.shift()?.respond()
    rig.say([9], 1_000)
    while (requests.length > 0) {
      requests.shift()?.respond()
      rig.clock.advance(1_000)
    }
    const texts = rig.takeFrames().map(({ data }) => [data.text, data.isFinal])
    assert.deepEqual(texts[0], ['de-DE: w1', false])
    assert.deepEqual(texts.at(-1), ['de-DE: w1 w2 w3 w4 w5 w6 w7 w8 w9', true])
    assert.equal(texts.filter(([, isFinal]) => isFinal).length, 1)
    assert.ok(texts.length <= 4, String(texts.length))
  })

  test('STT-36: a failed translation of a final is repeated; one that fails for good is reported', () => {
    const { requests, translate } = translator()
    const rig = new SpeechRig({ translate })
    rig.subscribe('translation:en-US-to-de-DE')
    const failure = { kind: 'retryable', message: 'no' } as const
    rig.say([1])
    while (requests.length > 0) requests.shift()?.respond({ ok: false, failure })
    rig.clock.advance(500)
    requests.shift()?.respond()
    assert.deepEqual(rig.takeFinals(), ['de-DE: w1'])
    rig.say([2])
    for (let attempt = 0; attempt < 10; attempt += 1) {
      requests.shift()?.respond({ ok: false, failure })
      rig.clock.advance(2_000)
    }
    assert.deepEqual(statuses(rig), ['unavailable translation:en-US-to-de-DE provider_unavailable'])
  })

  test('STT-36: an interim result that cannot be translated once is not reported', () => {
    const { requests, translate } = translator()
    const rig = new SpeechRig({ translate })
    rig.subscribe('translation:en-US-to-de-DE')
    const failure = { kind: 'retryable', message: 'no' } as const
    rig.say([1], 0)
    requests.shift()?.respond({ ok: false, failure })
    rig.say([2, 3, 4, 5, 6])
    while (requests.length > 0) requests.shift()?.respond()
    assert.deepEqual(statuses(rig), [])
    rig.say([7], 0)
    requests.shift()?.respond({ ok: false, failure })
    rig.clock.advance(3_000)
    assert.deepEqual(statuses(rig), ['unavailable translation:en-US-to-de-DE provider_unavailable'])
  })

  test('STT-36: nothing is translated after the session', () => {
    const { requests, translate } = translator()
    const rig = new SpeechRig({ translate })
    rig.subscribe('translation:en-US-to-de-DE')
    rig.say([1])
    rig.say([2])
    rig.session.session.end()
    requests.shift()?.respond()
    assert.equal(requests.length, 0)
  })

  test('STT-37: all-to translates what is not in the target language already', () => {
    const { requests, translate } = translator()
    const rig = new SpeechRig({ translate })
    rig.subscribe('translation:all-to-en-US', 'translation:all-to-de-DE')
    rig.say([1])
    assert.deepEqual([...new Set(requests.map(({ target }) => target))], ['de-DE'])
    assert.deepEqual(
      rig.first.opened.map(({ language }) => language),
      ['auto'],
    )
    requests.at(-1)?.respond()
  })

  test('STT-38: without a provider that translates, apps are told', () => {
    const rig = new SpeechRig()
    rig.subscribe('translation:en-US-to-de-DE')
    rig.say([1])
    assert.deepEqual(statuses(rig), ['unavailable translation:en-US-to-de-DE no_translation_provider'])
  })
})
