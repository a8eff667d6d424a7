import assert from 'node:assert/strict'
import { test } from 'node:test'
import { osSettingDefaults } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { appOf, SessionRig } from '../testing/session-rig.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'

const microphoneOf = (glasses: RecordingPeer) => {
  const told = glasses.last('microphone_state_change')
  return told && [told.isMicrophoneEnabled, told.bypassVad]
}

test('MIC-1 MIC-2: each stream made from sound switches the microphone on, no other does', () => {
  for (const [stream, expected] of [
    ['audio_chunk', [true, true]],
    ['transcription:en-US', [true, false]],
    ['transcription:auto', [true, false]],
    ['translation:es-ES-to-en-US?no-language-identification=true', [true, false]],
    ['VAD', [false, false]],
    ['button_press', [false, false]],
    ['transcription:nonsense', [false, false]],
  ] as const) {
    const rig = new SessionRig([appOf(A)])
    const glasses = rig.glasses()
    rig.subscribe(rig.run(A), stream)
    assert.deepEqual(microphoneOf(glasses), expected, stream)
  }
})

test('MIC-4 MIC-8: the microphone goes off with the last app that needs it', () => {
  const rig = new SessionRig([appOf(A), appOf(B)])
  const glasses = rig.glasses()
  rig.subscribe(rig.run(A), 'audio_chunk')
  rig.subscribe(rig.run(B), 'transcription:en-US')
  rig.clock.advance(2_000)
  rig.stop(A)
  rig.clock.advance(5_000)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.stop(B)
  rig.clock.advance(2_999)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.clock.advance(1)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('MIC-8: an app that is lost and started anew wants no sound until it says so', () => {
  const rig = new SessionRig([appOf(A)])
  const glasses = rig.glasses()
  const app = rig.run(A)
  rig.subscribe(app, 'audio_chunk')
  rig.session.detachApp(A, app)
  rig.clock.advance(4_999)
  assert.deepEqual(microphoneOf(glasses), [true, true], 'it may be back in a moment')
  rig.clock.advance(5_000)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('MIC-6: glasses that connect are told right after the acknowledgement', () => {
  const rig = new SessionRig([appOf(A)])
  const first = rig.glasses()
  assert.deepEqual(microphoneOf(first), [false, false])
  rig.subscribe(rig.run(A), 'audio_chunk')
  const second = rig.glasses()
  assert.deepEqual(
    second.sent.slice(0, 2).map(({ type }) => type),
    ['connection_ack', 'microphone_state_change'],
  )
  assert.deepEqual(microphoneOf(second), [true, true])
  second.take()
  rig.session.glassesDevice.report({ connected: true, modelName: 'Mentra Live' })
  assert.deepEqual(microphoneOf(second), [true, true])
})

test('MIC-20: every listener gets the very bytes that came, once', () => {
  const rig = new SessionRig([appOf(A), appOf(B), appOf('dev.example.deaf', { permissions: [] })])
  const glasses = rig.glasses()
  const [a, b, deaf] = [rig.run(A), rig.run(B), rig.run('dev.example.deaf')]
  rig.subscribe(a, 'audio_chunk')
  rig.subscribe(b, 'transcription:en-US', 'audio_chunk', 'audio_chunk')
  rig.subscribe(deaf, 'audio_chunk')
  const frames = [new Uint8Array([1, 2]), new Uint8Array([3, 4, 5, 6])]
  for (const frame of frames) rig.session.audioFromGlasses(glasses, frame)
  for (const peer of [a, b]) {
    assert.equal(peer.audio.length, 2)
    assert.ok(peer.audio.every((frame, n) => frame === frames[n]))
  }
  assert.deepEqual(deaf.audio, [])
  rig.session.audioFromGlasses(glasses, new Uint8Array(0))
  assert.equal(a.audio.length, 2, 'an empty frame is nothing')
})

test('MIC-7 MIC-21: unwanted sound is answered, and what a replaced socket says does not count', () => {
  const rig = new SessionRig([appOf(A)])
  const old = rig.glasses()
  rig.glasses()
  rig.session.audioFromGlasses(old, new Uint8Array(2))
  rig.session.undecodableAudioFromGlasses(old)
  assert.deepEqual(rig.session.audio.recent(), { kind: 'nothing' })
  const glasses = rig.glasses()
  glasses.take()
  rig.session.undecodableAudioFromGlasses(glasses)
  assert.deepEqual(rig.session.audio.recent(), { kind: 'undecodable' })
  rig.session.audioFromGlasses(glasses, new Uint8Array(2))
  assert.equal(rig.session.audio.recent().kind, 'sound')
  assert.equal(glasses.of('microphone_state_change').length, 1)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('MIC-2 MIC-9: the setting of the wearer is told when it changes, whatever the apps want', () => {
  const rig = new SessionRig([appOf(A)])
  const glasses = rig.glasses()
  const set = (bypassVad: boolean) => {
    rig.osSettings = { ...rig.osSettings, bypassVad }
    rig.session.settings.osChanged(() => {})
    rig.settle()
  }
  glasses.take()
  set(true)
  assert.deepEqual(microphoneOf(glasses), [false, true])
  rig.clock.advance(1_000)
  rig.subscribe(rig.run(A), 'transcription:en-US')
  assert.deepEqual(microphoneOf(glasses), [true, true])
  rig.clock.advance(1_000)
  set(false)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.clock.advance(1_000)
  glasses.take()
  rig.osSettings = { ...rig.osSettings, sensingEnabled: false, enforceLocalTranscription: true }
  rig.session.settings.osChanged(() => {})
  rig.settle()
  assert.equal(microphoneOf(glasses), undefined, 'other settings are the business of the phone')
})

test('MIC-2 MIC-3: glasses of a wearer with the setting are told so at first, and of the first app at once', () => {
  const rig = new SessionRig([appOf(A)], { osSettings: { ...osSettingDefaults, bypassVad: true } })
  const glasses = rig.glasses()
  assert.deepEqual(microphoneOf(glasses), [false, true])
  rig.subscribe(rig.run(A), 'transcription:en-US')
  assert.deepEqual(microphoneOf(glasses), [true, true])
})

test('MIC-30 MIC-33 MIC-34: a format counts for the open connection', () => {
  const rig = new SessionRig()
  const format = { format: 'lc3', frameSizeBytes: 40 } as const
  assert.equal(rig.session.audio.setFormat(format), false)
  const first = rig.glasses()
  assert.equal(rig.session.audio.setFormat(format), true)
  assert.deepEqual(first.format, format)
  const second = rig.glasses()
  assert.equal(second.format, undefined)
  rig.session.audio.setFormat({ format: 'pcm' })
  assert.deepEqual([first.format, second.format], [format, { format: 'pcm' }])
  second.close(1000, 'gone')
  assert.equal(rig.session.audio.setFormat(format), false)
})

test('MIC-39: undecodable sound is logged once a connection or configuration', () => {
  const rig = new SessionRig()
  const said = () => rig.events.filter((event) => event === 'audio_undecodable').length
  const glasses = rig.glasses()
  for (let n = 0; n < 5; n += 1) rig.session.undecodableAudioFromGlasses(glasses)
  assert.equal(said(), 1)
  rig.session.audio.setFormat({ format: 'lc3', frameSizeBytes: 20 })
  for (let n = 0; n < 5; n += 1) rig.session.undecodableAudioFromGlasses(glasses)
  assert.equal(said(), 2)
  const next = rig.glasses()
  for (let n = 0; n < 5; n += 1) rig.session.undecodableAudioFromGlasses(next)
  assert.equal(said(), 3)
})
