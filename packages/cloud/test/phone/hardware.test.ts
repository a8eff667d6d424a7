import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

const email = 'ann@example.com'
const path = '/api/hardware/button-press'
const press = { buttonId: 'camera', pressType: 'short' }

interface Pressed {
  readonly success?: boolean
  readonly action?: string
  readonly requestId?: string
  readonly error?: string
}

async function setUp(t: Scope) {
  const cloud = await startCloud(t)
  const token = await cloud.token(email)
  const post = (token?: string, body: unknown = press) =>
    cloud.request<Pressed>('POST', path, { token, body })
  const photoRequest = async (requestId: string, as = token) =>
    cloud.request<Pressed>('GET', `/api/hardware/system-photo-request/${requestId}`, { token: as })
  const connect = async () => {
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    return glasses
  }
  return { cloud, token, post, photoRequest, connect }
}

describe('glasses buttons', () => {
  test('PHN-50: a button press requires a glasses token, in header or body, and a live session', async (t) => {
    const { cloud, token, post, connect } = await setUp(t)
    const without = await post(token)
    assert.deepEqual([without.status, without.body], [503, { error: 'NO_ACTIVE_SESSION' }])
    await connect()
    const glassesToken = await cloud.token(email, { scope: 'glasses' })
    assert.equal((await post(token)).status, 200)
    assert.equal((await post(glassesToken)).status, 200)
    for (const coreToken of [token, glassesToken])
      assert.equal((await post(undefined, { ...press, coreToken })).status, 200)
    assert.equal((await post('null', { ...press, coreToken: token })).status, 200)
    for (const [header, body] of [
      [undefined, press],
      [undefined, { ...press, coreToken: 'nonsense' }],
      [undefined, { ...press, coreToken: [token] }],
      // An invalid token in the header is not replaced by one in the body.
      ['nonsense', { ...press, coreToken: token }],
      [undefined, '{'],
    ] as const) {
      const { status } = await post(header, body)
      assert.equal(status, body === '{' ? 400 : 401, JSON.stringify([header, body]))
    }
    for (const body of [
      {},
      { buttonId: 'camera' },
      { ...press, pressType: '' },
      { ...press, buttonId: null },
    ])
      assert.equal((await post(token, body)).status, 400)
    assert.equal((await post(token, { ...press, buttonId: 5 })).status, 200)
  })

  test('PHN-50 PHN-51: a press is sent to subscribers; without any it takes a photo for the user', async (t) => {
    const { cloud, token, post, photoRequest, connect } = await setUp(t)
    const glasses = await connect()
    const { action, requestId } = (await post(token)).body
    assert.equal(action, 'take_photo')
    assert.deepEqual((await photoRequest(String(requestId))).body, { success: true, action: 'take_photo' })
    const eve = await cloud.token('eve@example.com')
    for (const [id, as] of [
      [requestId, eve],
      ['another', token],
    ] as const)
      assert.equal((await photoRequest(String(id), as)).status, 404)

    glasses.send({ type: 'phone_subscription_update', subscriptions: ['button_press'] })
    glasses.send({ type: 'ping' })
    await glasses.next('pong')
    assert.deepEqual((await post(token)).body, { success: true })
    const { data } = await glasses.next('data_stream')
    assert.equal((data as Record<string, unknown>).buttonId, 'camera')
  })
})
