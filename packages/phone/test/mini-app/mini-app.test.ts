import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HOST } from '../../src/mini-app/host.ts'
import { MiniApp } from '../../src/mini-app/mini-app.ts'
import { G1_CAPABILITIES, MiniAppHost } from '../support/mini-app-host.ts'
import { SignInCloud } from '../support/sign-in-cloud.ts'

class MemoryStorage {
  readonly values = new Map<string, string>()
  getItem(key: string): string | null {
    return this.values.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value)
  }
}

async function waitFor(what: string, check: () => unknown): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen`)
    await setTimeout(10)
  }
}

async function createRig(
  t: TestContext,
  storage = new MemoryStorage(),
  capabilities: unknown = G1_CAPABILITIES,
) {
  const signIn = await SignInCloud.start(t)
  const { url } = signIn.cloud
  const host: MiniAppHost = new MiniAppHost((text) => queueMicrotask(() => app.receive(text)))
  host.capabilities = capabilities
  const app = new MiniApp({ url, send: (text) => host.take(text), storage })
  t.after(() => host.send({ type: HOST.WILL_DISCONNECT }))
  await app.start()
  return { app, host, signIn, cloud: signIn.cloud, storage }
}

async function worn(t: TestContext) {
  const rig = await createRig(t)
  rig.signIn.decision = 'approved'
  const connection = await rig.cloud.connection(0)
  const glasses = await connection.frame('glasses_connection_state')
  return { ...rig, connection, glasses }
}

describe('a phone as a mini app', () => {
  test('the lens shows a code, and after its approval the glasses are worn', async (t) => {
    const { host, signIn, cloud, storage } = await createRig(t)
    await waitFor('the code', () => host.lens?.[0] === 'Code: CODE-1')
    assert.equal(storage.values.size, 0)
    signIn.decision = 'approved'
    const connection = await cloud.connection(0)
    const { modelName } = await connection.frame('glasses_connection_state')
    assert.equal(modelName, 'Even Realities G1')
    assert.deepEqual([...storage.values.keys()], [`glasses-cloud ${cloud.url}`])
    host.emit('touch_event', { kind: 'double_tap' })
    assert.equal((await connection.frame('touch_event')).gesture_name, 'double_tap')
  })

  test('BRG-31: the login of another cloud is not used', async (t) => {
    const { storage } = await worn(t)
    const again = await createRig(t, storage)
    await waitFor('the code', () => again.host.lens?.[0] === 'Code: CODE-1')
    assert.equal(again.cloud.connections.length, 0)
  })

  test('BRG-5: other glasses replace those before; those without a display do not', async (t) => {
    const { host, cloud, connection } = await worn(t)
    for (const capabilities of [null, { modelName: 'Mentra Live', display: null }, G1_CAPABILITIES])
      host.send({ type: HOST.CAPABILITIES_UPDATE, capabilities })
    const display = { width: 576, height: 288, maxTextLines: 10 }
    host.send({ type: HOST.CAPABILITIES_UPDATE, capabilities: { modelName: 'Even Realities G2', display } })
    const next = await cloud.connection(1)
    assert.equal((await next.frame('glasses_connection_state')).modelName, 'Even Realities G2')
    await waitFor('the end of the first connection', () => connection.socket.readyState === 3)
    assert.equal(cloud.connections.length, 2)
  })

  test('BRG-5: a host without glasses is waited for', async (t) => {
    const { host, signIn, cloud } = await createRig(t, new MemoryStorage(), null)
    signIn.decision = 'approved'
    assert.deepEqual([host.received.map(({ type }) => type), signIn.requests], [[HOST.CONNECT], []])
    host.send({ type: HOST.CAPABILITIES_UPDATE, capabilities: G1_CAPABILITIES })
    await (await cloud.connection(0)).frame('glasses_connection_state')
  })

  test('sounds are played by the host, and stopped there', async (t) => {
    const { host, connection } = await worn(t)
    const audioUrl = 'https://sounds.example.org/bell.mp3'
    const request = { type: 'audio_play_request', appId: 'a.b', audioUrl, volume: 0.5 }
    connection.send({ ...request, requestId: 'one' })
    await waitFor('the sound', () => host.of(HOST.PLAY_AUDIO).length === 1)
    const [played] = host.of(HOST.PLAY_AUDIO)
    assert.deepEqual([played?.audioUrl, played?.volume], [audioUrl, 0.5])
    host.endSound()
    assert.equal((await connection.frame('audio_play_response')).success, true)
    connection.send({ ...request, requestId: 'two' })
    await waitFor('the sound', () => host.of(HOST.PLAY_AUDIO).length === 2)
    connection.send({ type: 'audio_stop_request', appId: 'a.b' })
    const stopped = await connection.frame('audio_play_response', ({ requestId }) => requestId === 'two')
    assert.deepEqual([stopped.success, host.of(HOST.STOP_AUDIO).length], [false, 1])
  })

  test('BRG-33: what the cloud has no voice for is spoken by the phone itself', async (t) => {
    const { host, connection, cloud } = await worn(t)
    const audioUrl = `${cloud.url}/api/tts?text=good+morning`
    connection.send({ type: 'audio_play_request', requestId: 'one', appId: 'a.b', audioUrl })
    await waitFor('the sound', () => host.of(HOST.PLAY_AUDIO).length === 1)
    host.failSound('status 404')
    await waitFor('the speech', () => host.of(HOST.SPEAK).length === 1)
    const [spoken] = host.of(HOST.SPEAK)
    assert.deepEqual([spoken?.text, spoken?.forceLocal], ['good morning', true])
    host.endSound()
    assert.equal((await connection.frame('audio_play_response')).success, true)
  })

  test('location polls are answered with the position that the host finds', async (t) => {
    const { host, connection } = await worn(t)
    host.location = { lat: 48.2, lng: 16.4, accuracy: 12, timestamp: 1 }
    connection.send({ type: 'request_single_location', correlationId: 'c1', accuracy: 'high' })
    const { lat, lng, accuracy } = await connection.frame('location_update')
    assert.deepEqual([lat, lng, accuracy], [48.2, 16.4, 12])
  })
})
