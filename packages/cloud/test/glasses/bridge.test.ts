import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { PhoneApi } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { MiniAppEngine } from '../support/mini-app-engine.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.app'
const email = 'ada@example.com'
const CODE = /^Code: ([A-Z]{4}-[A-Z]{4})$/m

/** Approves the code on the lens. @returns the API of the wearer's phone */
async function approve(engine: MiniAppEngine, cloud: TestCloud): Promise<PhoneApi> {
  const token = await cloud.token(email)
  const [, userCode] = CODE.exec(await engine.waitForLens(CODE)) ?? []
  const approved = await cloud.request('POST', '/api/auth/device/approve', { token, body: { userCode } })
  assert.equal(approved.status, 200)
  return new PhoneApi({ url: cloud.url, token })
}

test('the lens shows code and words, and touches reach the app, also after restarts', async (t) => {
  const first = await startCloud(t, { env: { PORT: String(await findFreePort()) } })
  await SdkApp.register(t, first, new URL('touched-app.ts', import.meta.url), { packageName })
  const storage = new Map<string, string>()
  const engine = await MiniAppEngine.install(t, first.url, storage)
  const api = await approve(engine, first)
  await api.install(packageName)
  await waitFor('the start of the app', () => api.startApp(packageName).then(() => true))
  await engine.waitForLens(/^ada is ready/)
  const manifest = (await (await fetch(`${first.url}/glasses/bridge/miniapp.json`)).json()) as object
  const [announced] = engine.host.of('miniapp_connect')
  assert.equal(announced?.packageName, 'packageName' in manifest && manifest.packageName)
  engine.host.emit('touch_event', { kind: 'single_tap' })
  await engine.waitForLens(/^ada: single tap number 1/)

  await first.stop()
  const second = await startCloud(t, { env: first.env })
  await waitFor('a touch after the restart of the cloud', async () => {
    engine.host.emit('touch_event', { gestureName: 'long_press' })
    return /number [2-9]/.test(engine.host.lens?.join() ?? '')
  })

  engine.host.send({ type: 'miniapp_will_disconnect' })
  const again = await MiniAppEngine.install(t, second.url, storage)
  await again.waitForLens(/^ada/)
  again.host.emit('touch_event', { kind: 'swipe_up' })
  await again.waitForLens(/^ada: up swipe number/)
})

test('audio of the microphone reaches an app while it listens', async (t) => {
  const cloud = await startCloud(t)
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const permissions = [{ type: 'MICROPHONE' as const }]
  const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url, permissions })
  const engine = await MiniAppEngine.install(t, cloud.url)
  const api = await approve(engine, cloud)
  await api.install(packageName)
  // It fails until the glasses are worn, and then waits for the app.
  const starting = waitFor('the start of the app', () => api.startApp(packageName).then(() => true))
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  await starting
  app.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
  await waitFor('the microphone', async () => engine.host.subscriptions.includes('audio_chunk'))
  const sent = Buffer.from('sound of 20 ms .'.repeat(40))
  const speaking = setInterval(
    () => engine.host.emit('audio_chunk', { data: sent.toString('base64'), sampleRate: 16_000 }),
    20,
  )
  t.after(() => clearInterval(speaking))
  await app.waitForAudio(1)
  assert.match(String(app.audio[0]), /^(sound of 20 ms \.)+$/)
  app.send({ type: 'subscription_update', subscriptions: [] })
  await waitFor('the end of the microphone', async () => !engine.host.subscriptions.includes('audio_chunk'))
})

test('BRG-44: an address may fetch 120 times a minute', async (t) => {
  const cloud = await startCloud(t)
  const fetchHash = () => fetch(`${cloud.url}/glasses/bridge/bundle.zip.sha256`)
  const [first] = [await (await fetchHash()).text()]
  const archive = await (await fetch(`${cloud.url}/glasses/bridge/bundle.zip`)).arrayBuffer()
  const sha256 = createHash('sha256').update(new Uint8Array(archive)).digest('hex')
  assert.equal(first, `${sha256}  bundle.zip\n`)
  const statuses: number[] = []
  for (let count = 0; count < 121; count += 1) {
    const response = await fetchHash()
    await response.body?.cancel()
    statuses.push(response.status)
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
})
