import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AudioInput } from './parts/audio-input.ts'
import { Transcription } from './parts/transcription.ts'
import { createAppDefinition, SessionRig } from './testing/session-rig.ts'

const A = 'dev.example.a'
const HOUR_MS = 3_600_000

for (const jumpMs of [-HOUR_MS, HOUR_MS]) {
  const direction = jumpMs < 0 ? 'back' : 'forward'

  test(`SES-27: a wall clock that is set ${direction} does not affect the display`, () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.clock.advance(2_000)
    const show = (text: string, durationMs?: number) =>
      rig.session.handleAppMessage(A, app, {
        type: 'display_event',
        view: 'main',
        layout: { layoutType: 'text_wall', text },
        ...(durationMs === undefined ? {} : { durationMs }),
      })
    const shown = () =>
      glasses
        .takeMessages()
        .flatMap(({ type, layout }) => (type === 'display_event' ? [(layout as { text: string }).text] : []))
    glasses.takeMessages()
    show('lasting')
    rig.clock.advance(200)
    show('brief', 1_000)
    assert.deepEqual(shown(), ['lasting', 'brief'])
    rig.clock.jumpWallClock(jumpMs)
    show('next')
    rig.clock.advance(199)
    assert.deepEqual(shown(), [])
    rig.clock.advance(1)
    assert.deepEqual(shown(), ['next'])
  })

  test(`SES-27: a wall clock that is set ${direction} changes no timeout, repetition or retention period`, () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'audio_chunk')
    rig.session.handleGlassesAudio(glasses, new Uint8Array(320))
    rig.session
      .part(Transcription)
      .addResult({ language: 'en-US', text: 'hello', isFinal: true, provider: 'test' })
    glasses.takeMessages()
    rig.clock.jumpWallClock(jumpMs)

    assert.equal(rig.session.part(AudioInput).recent().kind, 'audio')
    const { segments } = rig.session.part(Transcription).transcripts(A, 'en-US', {
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
    }) as { segments: readonly unknown[] }
    assert.equal(segments.length, 1)
    rig.clock.advance(9_999)
    assert.equal(glasses.messagesOfType('microphone_state_change').length, 0)
    rig.clock.advance(1)
    assert.equal(
      glasses.messagesOfType('microphone_state_change').length,
      1,
      'the state is repeated every 10 s',
    )
    rig.clock.advance(2)
    assert.equal(rig.session.part(AudioInput).recent().kind, 'empty', 'audio is kept for 10 s')
    rig.clock.advance(30 * 60_000)
    const later = rig.session
      .part(Transcription)
      .transcripts(A, 'en-US', { from: 0, to: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(later, { ok: true, segments: [] })

    const start = rig.startApp('dev.example.b')
    rig.clock.jumpWallClock(jumpMs)
    rig.clock.advance(5_000)
    assert.equal(start.value?.ok, false)
    rig.session.detachGlasses(glasses)
    rig.clock.jumpWallClock(jumpMs)
    rig.clock.advance(59_999)
    assert.equal(rig.session.isEnded, false)
    rig.clock.advance(1)
    assert.equal(rig.session.isEnded, true)
  })
}
