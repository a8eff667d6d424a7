import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

const email = 'ann@example.com'

async function connectPhone(t: Scope, env = {}) {
  const cloud = await startCloud(t, { env })
  const token = await cloud.token(email)
  const phone = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
  await phone.next('connection_ack')
  return { cloud, token, phone }
}

describe('mini-apps on the phone', () => {
  test('PAP-1 PAP-2 PAP-4: the phone receives the streams it subscribed to, as text frames only', async (t) => {
    const { cloud, token, phone } = await connectPhone(t)
    const subscriptions = ['button_press', 'phone_notification', 'audio_chunk']
    phone.send({ type: 'phone_subscription_update', subscriptions, timestamp: Date.now() })
    while ((await phone.next('microphone_state_change')).isMicrophoneEnabled !== true);
    phone.send(new Uint8Array(640))
    phone.send({ type: 'button_press', buttonId: 'main', pressType: 'long' })
    const { streamType, data, sessionId } = await phone.next('data_stream')
    assert.equal(streamType, 'button_press')
    assert.deepEqual(data, { type: 'button_press', buttonId: 'main', pressType: 'long' })
    assert.match(String(sessionId), /^[^-]+-__phone__$/)
    const notification = { notificationId: 'n1', app: 'Mail', title: 'Hello', content: 'there' }
    const path = '/api/client/notifications'
    assert.equal((await cloud.request('POST', path, { token, body: notification })).status, 200)
    assert.equal((await phone.next('data_stream')).streamType, 'phone_notification')

    for (const list of ['button_press', [5], Array.from({ length: 501 }, (_, n) => `s${n}`)]) {
      phone.send({ type: 'phone_subscription_update', subscriptions: list })
      assert.equal((await phone.next('connection_error')).code, 'MALFORMED_MESSAGE')
    }
    phone.send({ type: 'button_press', buttonId: 'main', pressType: 'short' })
    assert.equal((await phone.next('data_stream')).streamType, 'button_press')
    assert.deepEqual(phone.audio, [])
  })

  test('PAP-5 PAP-6: the phone starts and stops a managed stream', async (t) => {
    const { cloud, token, phone } = await connectPhone(t, { STREAM_PROVIDER: 'memory' })
    const body = { connected: true, modelName: 'Mentra Live', wifiConnected: true }
    assert.equal((await cloud.request('POST', '/api/client/device/state', { token, body })).status, 200)
    phone.send({ type: 'managed_stream_request' })
    const { streamId } = await phone.next('managed_stream_status')
    const start = await phone.next('start_stream')
    assert.equal(start.streamId, streamId)
    phone.send({ type: 'stream_status', streamId, status: 'streaming' })
    while ((await phone.next('managed_stream_status')).status !== 'active');
    phone.send({ type: 'managed_stream_stop' })
    while ((await phone.next('managed_stream_status')).status !== 'stopped');
    assert.equal(phone.of('stop_stream').length, 1)
  })
})
