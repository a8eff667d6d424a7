import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startWithApp } from '../support/phone-report-rig.ts'
import { spawnCloud } from '../support/test-cloud.ts'

const STALL_SECONDS = 10
const FRAME_BYTES = 3_200

test('SOC-54 SOC-55: an app receives all audio after a stall of ten seconds, and is told what a flood lost', async (t) => {
  const cloud = await spawnCloud(t, { hasDefaultLimits: true })
  const { glasses, app, subscribe } = await startWithApp(t, cloud, ['MICROPHONE'])
  await subscribe('audio_chunk')
  while ((await glasses.next('microphone_state_change')).isMicrophoneEnabled !== true);

  let sent = 0
  const speak = (frames: number) => {
    for (let n = 0; n < frames; n += 1) glasses.send(new Uint8Array(FRAME_BYTES).fill(sent++ % 256))
  }
  speak(10)
  // The network stalls, while the phone writes on.
  await delay(STALL_SECONDS * 1_000)
  speak(STALL_SECONDS * 10)
  await app.waitForAudio(sent)
  assert.deepEqual(
    app.audio.map(([n]) => n),
    Array.from({ length: sent }, (_, n) => n % 256),
  )
  assert.deepEqual([glasses.of('connection_error'), app.of('data_stream')], [[], []])

  speak(600)
  await glasses.next('connection_error')
  const { streamType, data } = await app.next('data_stream')
  assert.equal(streamType, 'audio_dropped')
  assert.equal((data as { reason: string }).reason, 'rate_limited')
})
