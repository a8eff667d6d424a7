import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppToCloud } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { GlassesDevice } from './glasses-device.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const URL = 'https://sounds.test/ding.mp3'
const WAIT = 55_000

function playing() {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
  const glasses = rig.connectGlasses()
  return { rig, glasses, a: rig.runApp(A), b: rig.runApp(B) }
}

function play(
  rig: SessionRig,
  app: RecordingPeer,
  requestId: string,
  more: Partial<Extract<AppToCloud, { type: 'audio_play_request' }>> = {},
): void {
  rig.session.handleAppMessage(app.name, app, {
    type: 'audio_play_request',
    requestId,
    audioUrl: URL,
    ...more,
  })
}

/** The `requestId` and `success` of each response that an app received. */
const responses = (app: RecordingPeer) =>
  app.messagesOfType('audio_play_response').map(({ requestId, success }) => [requestId, success])

test('PLAY-1 PLAY-9: a request is sent to the glasses with the package name of the requesting app', () => {
  const { rig, glasses, a } = playing()
  play(rig, a, 'r1', { packageName: B })
  play(rig, a, 'r2', { volume: 7, trackId: 2, stopOtherAudio: false })
  const [first, second] = glasses.messagesOfType('audio_play_request')
  assert.deepEqual(first, {
    type: 'audio_play_request',
    sessionId: 'us1',
    requestId: 'r1',
    appId: A,
    packageName: A,
    audioUrl: URL,
    volume: 1,
    stopOtherAudio: true,
    trackId: 0,
    timestamp: first?.timestamp,
  })
  assert.deepEqual([second?.volume, second?.trackId, second?.stopOtherAudio], [1, 2, false])
})

test('PLAY-10: a URL of the cloud itself is sent with the scheme of PUBLIC_URL', () => {
  const { rig, glasses, a } = playing()
  play(rig, a, 'r1', { audioUrl: 'https://cloud.test/api/tts?text=https' })
  play(rig, a, 'r2', { audioUrl: 'https://cloud.test.example/ding.mp3' })
  assert.deepEqual(
    glasses.messagesOfType('audio_play_request').map(({ audioUrl }) => audioUrl),
    ['http://cloud.test/api/tts?text=https', 'https://cloud.test.example/ding.mp3'],
  )
})

test('PLAY-2: the response is sent once, to the requesting app', () => {
  const { rig, glasses, a, b } = playing()
  play(rig, a, 'r1')
  play(rig, b, 'r2')
  const response = { type: 'audio_play_response', requestId: 'r1', success: true, duration: 2.5 } as const
  rig.session.handleGlassesMessage(glasses, response)
  rig.session.handleGlassesMessage(glasses, response)
  rig.session.handleGlassesMessage(glasses, {
    type: 'audio_play_response',
    requestId: 'unknown',
    success: true,
  })
  rig.session.handleGlassesMessage(glasses, {
    ...response,
    requestId: 'r2',
    success: false,
    error: '404',
  })
  const [good] = a.messagesOfType('audio_play_response')
  assert.deepEqual(good, {
    type: 'audio_play_response',
    requestId: 'r1',
    success: true,
    duration: 2.5,
    sessionId: `us1-${A}`,
    timestamp: good?.timestamp,
  })
  assert.deepEqual(responses(a), [['r1', true]])
  assert.deepEqual(responses(b), [['r2', false]])
  assert.equal(b.lastOfType('audio_play_response')?.error, '404')
  rig.clock.advance(WAIT)
  assert.equal(responses(a).length + responses(b).length, 2)
})

test('PLAY-3: a sound that still plays is answered before the SDK gives up, and stops with its app', () => {
  const { rig, glasses, a, b } = playing()
  play(rig, a, 'r1')
  play(rig, b, 'r2')
  rig.clock.advance(WAIT - 1)
  assert.deepEqual(responses(a), [])
  rig.clock.advance(1)
  assert.deepEqual([responses(a), responses(b)], [[['r1', true]], [['r2', true]]])
  rig.clock.advance(35_000)
  rig.session.handleGlassesMessage(glasses, { type: 'audio_play_response', requestId: 'r2', success: true })
  assert.equal(responses(b).length, 1, 'answered once')
  rig.stopApp(A)
  rig.stopApp(B)
  const stopped = glasses.messagesOfType('audio_stop_request').map(({ packageName }) => packageName)
  assert.deepEqual(stopped, [A], 'the other sound is over')
})

test('PLAY-3: the id of a sound that was answered can be used again', () => {
  const { rig, glasses, a } = playing()
  play(rig, a, 'r1')
  rig.clock.advance(WAIT)
  play(rig, a, 'r1')
  assert.equal(glasses.messagesOfType('audio_play_request').length, 2)
  rig.session.handleGlassesMessage(glasses, { type: 'audio_play_response', requestId: 'r1', success: false })
  assert.deepEqual(responses(a), [
    ['r1', true],
    ['r1', false],
  ])
})

test('PLAY-14: what was sent into a dead connection is sent again, unless it has been received long ago', () => {
  const { rig, a, b } = playing()
  play(rig, a, 'old')
  rig.clock.advance(15_001)
  play(rig, a, 'new')
  rig.session.handleAppMessage(B, b, { type: 'audio_stop_request', trackId: 1 })
  rig.clock.advance(5_000)
  const next = rig.connectGlasses()
  const played = next.messagesOfType('audio_play_request').map(({ requestId }) => requestId)
  const stopped = next.messagesOfType('audio_stop_request').map(({ packageName }) => packageName)
  assert.deepEqual([played, stopped], [['new'], [B]])
  rig.session.handleGlassesMessage(next, { type: 'audio_play_response', requestId: 'new', success: true })
  assert.deepEqual(responses(a), [['new', true]])
})

test('PLAY-14: a stop is not sent again after a later sound of its app', () => {
  const { rig, a } = playing()
  rig.session.handleAppMessage(A, a, { type: 'audio_stop_request' })
  play(rig, a, 'later')
  const next = rig.connectGlasses()
  assert.deepEqual(next.messagesOfType('audio_stop_request'), [])
})

test('PLAY-4: a request that cannot be played is rejected immediately', () => {
  const { rig, glasses, a } = playing()
  for (const audioUrl of ['file:///etc/passwd', 'not a URL', 'javascript:alert(1)'])
    play(rig, a, audioUrl, { audioUrl })
  assert.deepEqual(
    responses(a).map(([, success]) => success),
    [false, false, false],
  )
  rig.session.part(GlassesDevice).report({ connected: false })
  play(rig, a, 'no glasses')
  assert.match(String(a.lastOfType('audio_play_response')?.error), /glasses are not connected/)
  rig.session.part(GlassesDevice).report({ connected: true })
  glasses.close(1000, 'gone')
  play(rig, a, 'no phone')
  assert.match(String(a.lastOfType('audio_play_response')?.error), /phone is not connected/)
  assert.equal(responses(a).length, 5)
  assert.deepEqual(glasses.messagesOfType('audio_play_request'), [])
})

test('PLAY-5: two apps can use the same requestId', () => {
  const { rig, glasses, a, b } = playing()
  play(rig, a, 'same')
  play(rig, a, 'same')
  play(rig, b, 'same')
  const ids = glasses.messagesOfType('audio_play_request').map(({ requestId }) => String(requestId))
  assert.equal(new Set(ids).size, 2)
  assert.equal(ids.length, 2)
  const [, ofB = ''] = ids
  rig.session.handleGlassesMessage(glasses, { type: 'audio_play_response', requestId: ofB, success: true })
  assert.deepEqual(responses(b), [['same', true]])
  assert.deepEqual(responses(a), [])
})

test('PLAY-5: a repeated request is the same one, even if it would be rejected now', () => {
  const { rig, glasses, a } = playing()
  play(rig, a, 'same')
  rig.session.detachGlasses(glasses)
  play(rig, a, 'same')
  assert.deepEqual(responses(a), [])
  rig.clock.advance(WAIT)
  assert.deepEqual(responses(a), [['same', false]])
})

test('PLAY-6: an app has at most 50 pending requests', () => {
  const { rig, glasses, a, b } = playing()
  play(rig, b, 'of b')
  for (let n = 0; n <= 50; n += 1) play(rig, a, `r${n}`)
  assert.deepEqual(responses(a), [['r0', false]])
  assert.deepEqual(responses(b), [])
  assert.equal(glasses.messagesOfType('audio_play_request').length, 52)
})

test('PLAY-7: a stop request is sent to the glasses', () => {
  const { rig, glasses, a } = playing()
  rig.session.handleAppMessage(A, a, { type: 'audio_stop_request' })
  rig.session.handleAppMessage(A, a, { type: 'audio_stop_request', trackId: 2, packageName: B })
  const [all, one] = glasses.messagesOfType('audio_stop_request')
  assert.deepEqual(all, {
    type: 'audio_stop_request',
    sessionId: 'us1',
    appId: A,
    packageName: A,
    timestamp: all?.timestamp,
  })
  assert.deepEqual([one?.trackId, one?.appId], [2, A])
})

test('PLAY-8: the playback of an app that stops is stopped', () => {
  const { rig, glasses, a, b } = playing()
  play(rig, a, 'r1')
  rig.stopApp(A)
  rig.stopApp(B)
  assert.deepEqual(
    glasses.messagesOfType('audio_stop_request').map(({ appId }) => appId),
    [A],
  )
  rig.clock.advance(WAIT)
  assert.deepEqual([responses(a), responses(b)], [[], []])
})
