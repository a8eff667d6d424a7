import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AudioInput } from '../../src/session/parts/audio-input.ts'
import { Buttons } from '../../src/session/parts/buttons.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

async function connectGlasses(scope: Scope, cloud: LocalCloud, userEmail: string) {
  const token = await cloud.token(userEmail)
  const client = await SocketClient.open(scope, `${cloud.wsUrl}/glasses-ws`, bearer(token))
  await client.next('connection_ack')
  return { client, token }
}

test('SES-26: an exception in one session closes it with 1011, is counted, and affects no other user', async (t) => {
  const cloud = await startCloud(t, { env: { LOG_LEVEL: 'info' } })
  const receive = AudioInput.prototype.receive
  t.mock.method(AudioInput.prototype, 'receive', function (this: AudioInput, frame: Uint8Array) {
    if (frame[0] === 0xee) throw new Error('injected audio failure')
    receive.call(this, frame)
  })
  t.mock.method(Buttons.prototype, 'press', () => {
    throw new Error('injected button failure')
  })
  const ann = await connectGlasses(t, cloud, 'ann@example.com')
  const bob = await connectGlasses(t, cloud, 'bob@example.com')

  ann.client.send(new Uint8Array([0xee, 0]))
  assert.deepEqual(await ann.client.closed(), { code: 1011, reason: 'The session failed' })
  bob.client.send(new Uint8Array([1, 0]))
  bob.client.send({ type: 'connection_init' })
  await bob.client.next('connection_ack')

  const again = await connectGlasses(t, cloud, 'ann@example.com')
  const press = { buttonId: 'camera', pressType: 'short' }
  const { status } = await cloud.request('POST', '/api/hardware/button-press', {
    token: again.token,
    body: press,
  })
  assert.equal(status, 500)
  assert.equal((await again.client.closed()).code, 1011)
  bob.client.send({ type: 'connection_init' })
  await bob.client.next('connection_ack')

  const metrics = await (await fetch(`${cloud.url}/metrics`)).text()
  assert.match(metrics, /session_events_total\{event="session_failed"\} 2/)
  const causes = cloud.logged
    .filter(({ msg }) => msg === 'session: failed and was ended')
    .map(({ err }) => (err as Error).message)
  assert.deepEqual(causes, ['injected audio failure', 'injected button failure'])
})
