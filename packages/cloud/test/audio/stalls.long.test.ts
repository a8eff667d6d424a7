import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { spawnCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.listener'
const STALL_SECONDS = 10
const FRAME_BYTES = 3_200

test('SOC-54 SOC-55: an app receives all audio after a stall of ten seconds, and is told what a flood lost', async (t) => {
  const cloud = await spawnCloud(t, { hasDefaultLimits: true })
  const token = await cloud.token('ada@example.org')
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await cloud.registerApp({
    packageName,
    publicUrl: server.url,
    permissions: [{ type: 'MICROPHONE' }],
  })
  const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
  await glasses.next('connection_ack')
  glasses.send({ type: 'start_app', packageName })
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  app.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
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
