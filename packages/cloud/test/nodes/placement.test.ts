import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { startNodes } from '../support/cluster.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

const suite = redisMissing ? { skip: redisMissing } : {}
let serial = 0

describe('sockets and requests on any node', suite, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let started: Promise<readonly [LocalCloud, LocalCloud, LocalCloud]> | undefined
    /** Three nodes: `owner` is where the user's session is opened. */
    const nodes = () => {
      started ??= startNodes(scope, database, ['owner', 'other', 'third'])
      return started
    }

    /** Connects glasses to a node and starts an app whose socket connects to another. */
    async function connect(t: Scope, at: { readonly glasses: LocalCloud; readonly app: LocalCloud }) {
      serial += 1
      const packageName = `dev.example.placed-${serial}`
      const email = `placed-${serial}@example.com`
      const server = await startAppServer(t, packageName)
      server.behavior = 'never-connect'
      const { apiKey } = await at.glasses.registerApp({
        packageName,
        publicUrl: server.url,
        permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
      })
      const token = await at.glasses.token(email)
      const [owner] = await nodes()
      // The first socket decides which node owns the session.
      const first = await SocketClient.open(t, `${owner.wsUrl}/glasses-ws`, bearer(token))
      await first.next('connection_ack')
      let glasses = first
      if (at.glasses !== owner) {
        glasses = await SocketClient.open(t, `${at.glasses.wsUrl}/glasses-ws`, bearer(token))
        const ack = await glasses.next('connection_ack')
        assert.equal(ack.sessionId, first.of('connection_ack')[0]?.sessionId)
        assert.equal((await first.closed()).code, 4409)
      }
      glasses.send({ type: 'start_app', packageName })
      const { sessionId } = await server.called('session_request')
      const app = await SocketClient.open(t, `${at.app.wsUrl}/app-ws`)
      app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
      await app.next('tpa_connection_ack')
      return { packageName, email, token, server, apiKey, sessionId, glasses, app, owner }
    }

    test('NODE-20: events, displays and audio pass between any two nodes', async (t) => {
      const [owner, other, third] = await nodes()
      for (const at of [
        { glasses: owner, app: other },
        { glasses: other, app: owner },
        { glasses: other, app: third },
        { glasses: other, app: other },
      ]) {
        const { glasses, app, packageName } = await connect(t, at)
        app.send({ type: 'subscription_update', packageName, subscriptions: ['button_press', 'audio_chunk'] })
        while ((await glasses.next('microphone_state_change')).isMicrophoneEnabled !== true);
        glasses.send({ type: 'button_press', buttonId: 'main', pressType: 'short' })
        const event = await app.next('data_stream')
        assert.equal(event.streamType, 'button_press')
        glasses.send(Buffer.alloc(640, 7))
        await app.waitForAudio(1)
        assert.deepEqual(app.audio[0], Buffer.alloc(640, 7))
        app.send({
          type: 'display_event',
          packageName,
          view: 'main',
          layout: { layoutType: 'text_wall', text: 'across nodes' },
        })
        while (!JSON.stringify(await glasses.next('display_event')).includes('across nodes'));
      }
    })

    test('SOC-11: an invalid message is answered where the socket is, and the session continues', async (t) => {
      const [owner, other] = await nodes()
      const { glasses, app } = await connect(t, { glasses: other, app: other })
      glasses.send({ type: 'button_press', buttonId: 7 })
      assert.equal((await glasses.next('connection_error')).code, 'MALFORMED_MESSAGE')
      app.send({ type: 'no_such_type' })
      assert.equal((await app.next('tpa_connection_error')).code, 'UNKNOWN_MESSAGE_TYPE')
      assert.equal(owner.cloud.sessions.size > 0, true)
      assert.equal(other.cloud.sessions.size, 0)
    })

    test('NODE-22: every request about a session may arrive at any node', async (t) => {
      const [, other, third] = await nodes()
      const { token, packageName, glasses, server, apiKey, sessionId } = await connect(t, {
        glasses: other,
        app: third,
      })
      const state = await third.request<{ data: { appState: { activeApps: string[] } } }>(
        'POST',
        `/api/apps/${packageName}/start`,
        { token },
      )
      assert.equal(state.status, 200)
      assert.deepEqual(state.body.data.appState.activeApps, [packageName])
      const pressed = await third.request('POST', '/api/hardware/button-press', {
        token,
        body: { buttonId: 'main', pressType: 'short' },
      })
      assert.equal(pressed.status, 200)
      const transcripts = await third.request('GET', `/api/transcripts/${sessionId}?duration=10`, {
        headers: { 'x-api-key': apiKey, 'x-package-name': packageName },
      })
      assert.equal(transcripts.status, 200)
      const demanding = `${packageName}.new`
      await third.registerApp({ packageName: demanding, minHardwareVersion: '2.0.0' })
      const report = { modelName: 'Mentra Live', fwVersion: '1.9.0' }
      const reported = await third.request('POST', '/api/client/device/state', { token, body: report })
      assert.equal(reported.status, 200)
      const message = 'The connected glasses have version 1.9.0, and the app requires 2.0.0'
      const { body } = await third.request<{
        data: { packageName: string; compatibility: { message: string } }[]
      }>('GET', '/api/apps', { token })
      const listed = body.data.find((app) => app.packageName === demanding)
      assert.equal(listed?.compatibility.message, message)
      const refused = await third.request('POST', `/api/apps/${demanding}/start`, { token })
      assert.deepEqual([refused.status, refused.body], [400, { success: false, message }])
      const stopped = await third.request('POST', `/api/apps/${packageName}/stop`, { token })
      assert.equal(stopped.status, 200)
      await server.called('stop_request')
      await glasses.next('app_stopped')
    })

    test('NODE-23: a request without a session on any node is rejected as on one node', async () => {
      const [, , third] = await nodes()
      const token = await third.token('nobody-connected@example.com')
      const { packageName } = await third.registerApp({ packageName: 'dev.example.sessionless' })
      const response = await third.request('POST', `/api/apps/${packageName}/start`, { token })
      assert.equal(response.status, 401)
    })

    test('SHARE-50: glasses that change between nodes send 50 messages a second, as on one node', async (t) => {
      const [owner, other, third] = await nodes()
      const { glasses, app, packageName, token } = await connect(t, { glasses: owner, app: owner })
      app.send({ type: 'subscription_update', packageName, subscriptions: ['button_press', 'audio_chunk'] })
      while ((await glasses.next('microphone_state_change')).isMicrophoneEnabled !== true);
      const press = (socket: SocketClient, buttonId: string) =>
        socket.send({ type: 'button_press', buttonId, pressType: 'short' })
      const pressed = (buttonId: string) =>
        app
          .of('data_stream')
          .map(({ data }) => data as { readonly buttonId: string })
          .filter((data) => data.buttonId === buttonId).length

      const startedAt = performance.now()
      const sockets = [glasses]
      for (const node of [other, third, owner, other, third]) {
        const socket = await SocketClient.open(t, `${node.wsUrl}/glasses-ws`, bearer(token))
        await socket.next('connection_ack')
        const previous = sockets.at(-1)
        for (let n = 0; n < 150; n += 1) press(socket, 'counted')
        assert.equal((await previous?.closed())?.code, 4409)
        sockets.push(socket)
      }
      // Once a later message arrives, those before it were delivered or dropped.
      const last = sockets.at(-1) ?? glasses
      while (pressed('marker') === 0) {
        press(last, 'marker')
        await other.request('GET', '/livez')
      }
      const seconds = (performance.now() - startedAt) / 1_000
      const counted = pressed('counted')
      assert.ok(counted >= 50 - 1, `only ${counted} were delivered`)
      assert.ok(counted <= 50 + 50 * seconds, `${counted} were delivered in ${seconds} s`)
      assert.ok(
        sockets.some((socket) => socket.of('connection_error').some(({ code }) => code === 'RATE_LIMITED')),
      )
    })

    test('NODE-24: logging out closes the glasses on another node', async (t) => {
      const [owner, other, third] = await nodes()
      const { token, glasses } = await connect(t, { glasses: other, app: owner })
      assert.equal((await third.request('POST', '/api/auth/logout', { token })).status, 200)
      assert.equal((await glasses.closed()).code, 4401)
    })

    test('NODE-25: the app session id is bound to the host of the socket on another node', async (t) => {
      const [owner, other, third] = await nodes()
      const { sessionId, packageName } = await connect(t, { glasses: owner, app: other })
      const headers = { authorization: `Bearer ${sessionId}` }
      const fromHost = await third.request('GET', `/appsettings/user/${packageName}`, { headers })
      assert.equal(fromHost.status, 200)
      const unknown = { authorization: `Bearer ${'0'.repeat(32)}-dev.example.placed-1` }
      assert.equal(
        (await third.request('GET', `/appsettings/user/${packageName}`, { headers: unknown })).status,
        401,
      )
    })
  })
})
