import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { AudioInput } from './audio-input.ts'
import { GlassesDevice } from './glasses-device.ts'
import { Settings } from './settings.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'

const microphoneOf = (glasses: RecordingPeer) => {
  const state = glasses.lastOfType('microphone_state_change')
  return state && [state.isMicrophoneEnabled, state.bypassVad]
}

test('MIC-1 MIC-2: every stream made from audio turns the microphone on, and no other stream does', () => {
  for (const [stream, expected] of [
    ['audio_chunk', [true, true]],
    ['transcription:en-US', [true, false]],
    ['transcription:auto', [true, false]],
    ['translation:es-ES-to-en-US?no-language-identification=true', [true, false]],
    ['VAD', [false, false]],
    ['button_press', [false, false]],
    ['transcription:nonsense', [false, false]],
  ] as const) {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.subscribe(rig.runApp(A), stream)
    assert.deepEqual(microphoneOf(glasses), expected, stream)
  }
})

test('MIC-1: the required data follows the subscriptions and the place of recognition', () => {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
  const glasses = rig.connectGlasses()
  const required = () => glasses.lastOfType('microphone_state_change')?.requiredData
  rig.subscribe(rig.runApp(A), 'transcription:en-US')
  assert.deepEqual(required(), ['transcription'])
  rig.clock.advance(1_000)
  rig.subscribe(rig.runApp(B), 'audio_chunk')
  assert.deepEqual(required(), ['pcm', 'transcription'])
  rig.clock.advance(1_000)
  rig.stopApp(B)
  rig.clock.advance(2_999)
  assert.deepEqual(required(), ['pcm', 'transcription'])
  rig.clock.advance(1)
  assert.deepEqual(required(), ['transcription'])
  rig.clock.advance(1_000)
  rig.session.part(AudioInput).setRecognition('cloud')
  assert.deepEqual(required(), ['pcm'])
  rig.clock.advance(1_000)
  rig.session.part(AudioInput).setRecognition('cloud-unavailable')
  assert.deepEqual(required(), ['pcm', 'transcription'])
})

test('MIC-10: recognition on the phone is required by enforceLocalTranscription and by offline mode', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const required = () => glasses.lastOfType('microphone_state_change')?.requiredData
  rig.session.part(AudioInput).setRecognition('cloud')
  rig.subscribe(rig.runApp(A), 'transcription:en-US')
  assert.deepEqual(required(), ['pcm'])
  const apply = (offlineMode: boolean, enforceLocalTranscription: boolean) => {
    rig.clock.advance(5_000)
    rig.offlineMode = offlineMode
    rig.osSettings = { ...rig.osSettings, enforceLocalTranscription }
    rig.session.part(Settings).osChanged(() => {})
    rig.flush()
    return required()
  }
  assert.deepEqual(apply(false, true), ['transcription'])
  assert.deepEqual(apply(false, false), ['pcm'])
  assert.deepEqual(apply(true, false), ['transcription'])
  assert.deepEqual(apply(false, false), ['pcm'])
})

test('MIC-4 MIC-8: the microphone turns off with the last app that needs it', () => {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
  const glasses = rig.connectGlasses()
  rig.subscribe(rig.runApp(A), 'audio_chunk')
  rig.subscribe(rig.runApp(B), 'transcription:en-US')
  rig.clock.advance(2_000)
  rig.stopApp(A)
  rig.clock.advance(5_000)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.stopApp(B)
  rig.clock.advance(2_999)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.clock.advance(1)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('MIC-8: an app that is restarted needs no audio until it subscribes', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'audio_chunk')
  rig.session.detachApp(A, app)
  rig.clock.advance(4_999)
  assert.deepEqual(microphoneOf(glasses), [true, true], 'it may reconnect')
  rig.clock.advance(5_000)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('MIC-6: the order of acknowledgement and state', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const first = rig.connectGlasses()
  assert.deepEqual(microphoneOf(first), [false, false])
  rig.subscribe(rig.runApp(A), 'audio_chunk')
  const second = rig.connectGlasses()
  assert.deepEqual(
    second.sent.slice(0, 2).map(({ type }) => type),
    ['connection_ack', 'microphone_state_change'],
  )
  assert.deepEqual(microphoneOf(second), [true, true])
  second.takeMessages()
  rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Mentra Live' })
  assert.deepEqual(microphoneOf(second), [true, true])
})

test('MIC-20: every subscriber receives the same Buffer once', () => {
  const rig = new SessionRig([
    createAppDefinition(A),
    createAppDefinition(B),
    createAppDefinition('dev.example.unpermitted', { permissions: [] }),
  ])
  const glasses = rig.connectGlasses()
  const [a, b, unpermitted] = [rig.runApp(A), rig.runApp(B), rig.runApp('dev.example.unpermitted')]
  rig.subscribe(a, 'audio_chunk')
  rig.subscribe(b, 'transcription:en-US', 'audio_chunk', 'audio_chunk')
  rig.subscribe(unpermitted, 'audio_chunk')
  const frames = [new Uint8Array([1, 2]), new Uint8Array([3, 4, 5, 6])]
  for (const frame of frames) rig.session.handleGlassesAudio(glasses, frame)
  for (const peer of [a, b]) {
    assert.equal(peer.audio.length, 2)
    assert.ok(peer.audio.every((frame, n) => frame === frames[n]))
  }
  assert.deepEqual(unpermitted.audio, [])
  rig.session.handleGlassesAudio(glasses, new Uint8Array(0))
  assert.equal(a.audio.length, 2, 'an empty frame is ignored')
})

test('MIC-7 MIC-21: audio without subscribers is answered, and audio of a replaced socket is ignored', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const old = rig.connectGlasses()
  rig.connectGlasses()
  rig.session.handleGlassesAudio(old, new Uint8Array(2))
  rig.session.handleUndecodableAudio(old)
  assert.deepEqual(rig.session.part(AudioInput).recent(), { kind: 'empty' })
  const glasses = rig.connectGlasses()
  glasses.takeMessages()
  rig.session.handleUndecodableAudio(glasses)
  assert.deepEqual(rig.session.part(AudioInput).recent(), { kind: 'undecodable' })
  rig.session.handleGlassesAudio(glasses, new Uint8Array(2))
  assert.equal(rig.session.part(AudioInput).recent().kind, 'audio')
  assert.equal(glasses.messagesOfType('microphone_state_change').length, 1)
  assert.deepEqual(microphoneOf(glasses), [false, false])
})

test('SOC-55: audio that the glasses sent too fast is reported to the apps that listen', () => {
  const apps = [A, B, 'dev.example.c'].map((name) => createAppDefinition(name))
  const rig = new SessionRig(apps)
  const replaced = rig.connectGlasses()
  const peers = apps.map(({ packageName }) => rig.runApp(packageName))
  const subscriptions = [['audio_chunk', 'transcription:en-US'], ['translation:en-US-to-de-DE'], ['VAD']]
  for (const [index, wanted] of subscriptions.entries()) {
    const app = peers[index]
    assert.ok(app)
    rig.subscribe(app, ...wanted)
    app.takeMessages()
  }
  rig.session.handleDroppedAudio(rig.connectGlasses(), 1_200.4)
  rig.session.handleDroppedAudio(replaced, 99)
  const received = peers.map((app) =>
    app.messagesOfType('data_stream').map(({ streamType, data }) => {
      const { reason, durationMs } = data as Record<string, unknown>
      return { streamType, reason, durationMs }
    }),
  )
  const lost = { streamType: 'audio_dropped', reason: 'rate_limited', durationMs: 1_200 }
  assert.deepEqual(received, [[lost], [lost], []])
})

test("MIC-2 MIC-9: a change of the user's setting is sent, whatever the subscriptions", () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const set = (bypassVad: boolean) => {
    rig.osSettings = { ...rig.osSettings, bypassVad }
    rig.session.part(Settings).osChanged(() => {})
    rig.flush()
  }
  glasses.takeMessages()
  set(true)
  assert.deepEqual(microphoneOf(glasses), [false, true])
  rig.clock.advance(1_000)
  rig.subscribe(rig.runApp(A), 'transcription:en-US')
  assert.deepEqual(microphoneOf(glasses), [true, true])
  rig.clock.advance(1_000)
  set(false)
  assert.deepEqual(microphoneOf(glasses), [true, false])
  rig.clock.advance(1_000)
  glasses.takeMessages()
  rig.osSettings = { ...rig.osSettings, sensingEnabled: false, useOnboardMic: true }
  rig.session.part(Settings).osChanged(() => {})
  rig.flush()
  assert.equal(microphoneOf(glasses), undefined, 'the phone applies other settings itself')
})

test("MIC-2 MIC-3: the user's setting is part of the first state, and the first subscription is sent immediately", () => {
  const rig = new SessionRig([createAppDefinition(A)], {
    phoneSettings: { os: { ...OS_SETTING_DEFAULTS, bypassVad: true }, offlineMode: false },
  })
  const glasses = rig.connectGlasses()
  assert.deepEqual(microphoneOf(glasses), [false, true])
  rig.subscribe(rig.runApp(A), 'transcription:en-US')
  assert.deepEqual(microphoneOf(glasses), [true, true])
})

test('MIC-30 MIC-33 MIC-34: an audio format applies to the open connection only', () => {
  const rig = new SessionRig()
  const format = { format: 'lc3', frameSizeBytes: 40 } as const
  assert.equal(rig.session.part(AudioInput).setFormat(format), false)
  const first = rig.connectGlasses()
  assert.equal(rig.session.part(AudioInput).setFormat(format), true)
  assert.deepEqual(first.format, format)
  const second = rig.connectGlasses()
  assert.equal(second.format, undefined)
  rig.session.part(AudioInput).setFormat({ format: 'pcm' })
  assert.deepEqual([first.format, second.format], [format, { format: 'pcm' }])
  second.close(1000, 'gone')
  assert.equal(rig.session.part(AudioInput).setFormat(format), false)
})

test('MIC-39: log lines of several undecodable frames', () => {
  const rig = new SessionRig()
  const logged = () => rig.events.filter((event) => event === 'audio_undecodable').length
  const glasses = rig.connectGlasses()
  for (let n = 0; n < 5; n += 1) rig.session.handleUndecodableAudio(glasses)
  assert.equal(logged(), 1)
  rig.session.part(AudioInput).setFormat({ format: 'lc3', frameSizeBytes: 20 })
  for (let n = 0; n < 5; n += 1) rig.session.handleUndecodableAudio(glasses)
  assert.equal(logged(), 2)
  const next = rig.connectGlasses()
  for (let n = 0; n < 5; n += 1) rig.session.handleUndecodableAudio(next)
  assert.equal(logged(), 3)
})
