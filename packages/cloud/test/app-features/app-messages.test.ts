import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, type TestRequest } from '../support/test-cloud.ts'

const GAME = 'dev.example.game'
const DISCOVER = '/api/app-communication/discover-users'

interface Discovered {
  readonly users: { readonly userId: string; readonly sessionId: string; readonly joinedAt: string }[]
  readonly totalUsers: number
}

describe('app messages between users', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let apiKey: string
  let otherKey: string

  before(async () => {
    cloud = await startCloud(scope)
    const server = await startAppServer(scope, GAME)
    server.behavior = 'never-connect'
    ;({ apiKey } = await cloud.registerApp({ packageName: GAME, publicUrl: server.url }))
    ;({ apiKey: otherKey } = await cloud.registerApp({ packageName: 'dev.example.other' }))
  })

  /** Starts the game for a user. */
  async function startGame(t: Scope, email: string) {
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(await cloud.token(email)))
    await glasses.next('connection_ack')
    glasses.send({ type: 'start_app', packageName: GAME })
    await glasses.next('app_state_change')
    const game = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
    game.send({ type: 'tpa_connection_init', packageName: GAME, apiKey, sessionId: `${email}-${GAME}` })
    const { sessionId } = await game.next('tpa_connection_ack')
    return { glasses, game, sessionId }
  }

  const discover = (request: TestRequest) => cloud.request<Discovered>('POST', DISCOVER, request)

  test('A2A-1 A2A-3 A2A-20: users of an app discover each other and exchange messages', async (t) => {
    const ann = await startGame(t, 'ann@example.com')
    const bob = await startGame(t, 'bob@example.com')
    const body = { packageName: GAME, userId: 'ann@example.com', includeUserProfiles: false }
    const found = await discover({ token: apiKey, body })
    assert.equal(found.status, 200)
    assert.equal(found.body.totalUsers, 2)
    assert.deepEqual(
      found.body.users.map(({ userId, sessionId }) => [userId, sessionId]),
      [
        ['ann@example.com', ann.sessionId],
        ['bob@example.com', bob.sessionId],
      ],
    )
    assert.ok(found.body.users.every(({ joinedAt }) => Date.parse(joinedAt) > 0))

    ann.game.send({
      type: 'app_direct_message',
      messageId: 'm1',
      targetUserId: 'bob@example.com',
      payload: { move: 'e4' },
    })
    const { payload, senderUserId, senderSessionId } = await bob.game.next('app_message_received')
    assert.deepEqual(
      [payload, senderUserId, senderSessionId],
      [{ move: 'e4' }, 'ann@example.com', ann.sessionId],
    )
    assert.equal((await ann.game.next('app_direct_message_response')).success, true)
    bob.game.send({ type: 'app_broadcast_message', messageId: 'm2', payload: 'gg' })
    assert.equal((await ann.game.next('app_message_received')).messageId, 'm2')

    bob.glasses.send({ type: 'stop_app', packageName: GAME })
    await bob.glasses.next('app_stopped')
    const left = await discover({ headers: { 'x-api-key': apiKey, 'x-package-name': GAME }, body: {} })
    assert.deepEqual(
      left.body.users.map(({ userId }) => userId),
      ['ann@example.com'],
    )
  })

  test('A2A-16: closing the cloud closes the rooms and notifies members before their sockets close', async (t) => {
    const otherCloud = await startCloud(t)
    const server = await startAppServer(t, GAME)
    server.behavior = 'never-connect'
    const { apiKey } = await otherCloud.registerApp({ packageName: GAME, publicUrl: server.url })
    const token = await otherCloud.token('ann@example.com')
    const glasses = await SocketClient.open(t, `${otherCloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    glasses.send({ type: 'start_app', packageName: GAME })
    await glasses.next('app_state_change')
    const game = await SocketClient.open(t, `${otherCloud.wsUrl}/app-ws`)
    game.send({
      type: 'tpa_connection_init',
      packageName: GAME,
      apiKey,
      sessionId: `ann@example.com-${GAME}`,
    })
    await game.next('tpa_connection_ack')
    game.send({ type: 'app_room_join', roomId: 'chess' })
    assert.equal((await game.next('app_room_updated')).updateType, 'user_joined')
    await otherCloud.stop()
    assert.equal((await game.next('app_room_updated')).updateType, 'room_closed')
    assert.equal((await game.closed()).code, 1012)
  })

  test('A2A-21: only the app itself may discover its users', async () => {
    const body = { packageName: GAME }
    for (const request of [
      { body },
      { body, token: otherKey },
      { body, token: 'garbage' },
      { body: {}, token: apiKey },
    ])
      assert.equal((await discover(request)).status, 401)
    const otherApp = await discover({ token: otherKey, body: { packageName: 'dev.example.other' } })
    assert.deepEqual(otherApp.body, { users: [], totalUsers: 0 })
  })
})
