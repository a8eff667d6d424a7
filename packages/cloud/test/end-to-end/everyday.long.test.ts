import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { LiveSession } from '@glasses-cloud/contract'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { Browser } from '../support/account-browser.ts'
import { startAppServer } from '../support/app-server.ts'
import { flushAppMessages, startWithApp } from '../support/phone-report-rig.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type SpawnedCloud, spawnCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

/** The cloud answers for a sound after 55 s. */
const ANSWER_MS = 90_000

/** What happened to people with other products of this kind, on the program that they would run. They mostly wait. */
describe('daily life', { concurrency: 4 }, () => {
  const scope = suiteScope()
  let cloud: SpawnedCloud
  before(async () => {
    cloud = await spawnCloud(scope, { env: { API_KEY_PACKAGES: 'dev.example.plus' }, hasDefaultLimits: true })
  })

  const connectPhone = (t: Scope, token: string) =>
    SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))

  test('PHO-40: a photo that is requested while the phone changes networks', async (t) => {
    const { token, glasses, app } = await startWithApp(t, cloud)
    glasses.send({ type: 'glasses_connection_state', modelName: 'Mentra Live', status: 'CONNECTED' })
    await app.next('device_state_update')
    // The line is dead: nothing arrives, and nobody says so.
    glasses.ws.pause()
    app.send({ type: 'photo_request', requestId: 'p1', saveToGallery: false })
    await flushAppMessages(app)
    const back = await connectPhone(t, token)
    assert.equal((await back.next('photo_request')).requestId, 'p1')
  })

  test('PLAY-3: a sound that is longer than the SDK waits stops with its app', async (t) => {
    const { glasses, app, post } = await startWithApp(t, cloud)
    glasses.send({ type: 'glasses_connection_state', modelName: 'Mentra Live', status: 'CONNECTED' })
    await app.next('device_state_update')
    app.send({ type: 'audio_play_request', requestId: 'a1', audioUrl: 'https://example.org/long.mp3' })
    const { packageName } = await glasses.next('audio_play_request')
    const response = await waitFor('it is answered', () => app.of('audio_play_response')[0], ANSWER_MS)
    assert.equal(response.success, true)
    assert.equal((await post(`/api/apps/${packageName}/stop`, {})).status, 200)
    assert.equal((await glasses.next('audio_stop_request')).packageName, packageName)
  })

  test('SOC-56: two phones that come back after every close', async (t) => {
    const token = await cloud.token('two-phones@example.com')
    let ends = 0
    let isOver = false
    t.after(() => {
      isOver = true
    })
    const run = async () => {
      while (!isOver) {
        const phone = await connectPhone(t, token)
        await once(phone.ws, 'close')
        ends += 1
        await delay(2_500)
      }
    }
    run().catch(() => {})
    await delay(1_250)
    run().catch(() => {})
    await waitFor('a phone is refused', async () => {
      const { body } = await cloud.request<LiveSession>('GET', '/api/session', { token })
      return body.refusedPhone !== null
    })
    assert.ok(ends <= 8, `${ends} connections ended`)
  })

  test('AUTH-63: a refresh whose response was lost', async () => {
    const browser = new Browser(cloud)
    const { token: sessionToken } = (await browser.signUp('asleep@example.com', 'correct horse battery')).body
    const refresh = (refreshToken: string) =>
      cloud.request<{ refreshToken: string }>('POST', '/api/auth/refresh', { body: { refreshToken } })
    const { body } = await cloud.request<{ refreshToken: string }>('POST', '/api/auth/exchange-token', {
      body: { sessionToken },
    })
    await refresh(body.refreshToken)
    const again = await refresh(body.refreshToken)
    assert.equal(again.status, 200)
    assert.equal((await refresh(again.body.refreshToken)).status, 200)
    assert.equal((await refresh(body.refreshToken)).status, 401)
  })

  test('AUTH-26: an address with a plus, as apps of the ecosystem write it', async () => {
    const { apiKey } = await cloud.registerApp({ packageName: 'dev.example.plus' })
    await cloud.token('you+tag@example.org')
    const { status, body } = await cloud.request(
      'GET',
      `/api/apps?apiKey=${apiKey}&packageName=dev.example.plus&userId=you+tag@example.org`,
    )
    assert.equal(status, 200, JSON.stringify(body))
  })
})

test('APS-29: an app whose server is gone', async (t) => {
  const first = await spawnCloud(t)
  const packageName = 'dev.example.gone'
  const ends: (() => unknown)[] = []
  const server = await startAppServer({ after: (end) => void ends.push(end) }, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await first.registerApp({ packageName, publicUrl: server.url })
  const token = await first.token('left@example.com')
  const glasses = await SocketClient.open(t, `${first.wsUrl}/glasses-ws`, bearer(token))
  await glasses.next('connection_ack')
  glasses.send({ type: 'start_app', packageName })
  const { sessionId } = await server.called('session_request')
  const app = await SocketClient.open(t, `${first.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
  await app.next('tpa_connection_ack')
  for (const end of ends) await end()
  await first.stop()

  const second = await spawnCloud(t, { env: first.env })
  const phone = await SocketClient.open(t, `${second.wsUrl}/glasses-ws`, bearer(token))
  await waitFor('the wearer reads it', async () =>
    phone
      .of('display_event')
      .some(({ layout }) => (layout as { text?: string }).text === 'It does not respond.'),
  )
})
