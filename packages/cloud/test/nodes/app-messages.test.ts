import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onPostgres } from '../../src/db/testing.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

const GAME = 'dev.example.game'

describe('app messages on two nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let one: LocalCloud
    let two: LocalCloud
    let apiKey: string

    before(async () => {
      ;[one, two] = (await startNodes(scope, database, 2)) as [LocalCloud, LocalCloud]
      const server = await startAppServer(scope, GAME)
      server.behavior = 'never-connect'
      ;({ apiKey } = await one.registerApp({ packageName: GAME, publicUrl: server.url }))
    })

    /** Starts the game for a user whose glasses and app are connected to a node. */
    async function startGame(t: Scope, cloud: LocalCloud, email: string) {
      const glasses = await SocketClient.open(
        t,
        `${cloud.wsUrl}/glasses-ws`,
        bearer(await cloud.token(email)),
      )
      await glasses.next('connection_ack')
      glasses.send({ type: 'start_app', packageName: GAME })
      await glasses.next('app_state_change')
      const game = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
      game.send({ type: 'tpa_connection_init', packageName: GAME, apiKey, sessionId: `${email}-${GAME}` })
      await game.next('tpa_connection_ack')
      return { glasses, game }
    }

    async function usersOn(cloud: LocalCloud): Promise<string[]> {
      const path = '/api/app-communication/discover-users'
      const { body } = await cloud.request<{ users: { userId: string }[] }>('POST', path, {
        token: apiKey,
        body: { packageName: GAME },
      })
      return body.users.map(({ userId }) => userId).sort()
    }

    test('SHARE-40 SHARE-41: users on different nodes discover each other, exchange messages and share a room', async (t) => {
      const [ann, bob] = ['ann@example.com', 'bob@example.com']
      const first = await startGame(t, one, ann)
      const second = await startGame(t, two, bob)
      while ((await usersOn(one)).length < 2);
      assert.deepEqual(
        [await usersOn(one), await usersOn(two)],
        [
          [ann, bob],
          [ann, bob],
        ],
      )
      for (const [from, to, target] of [
        [first, second, bob],
        [second, first, ann],
      ] as const) {
        from.game.send({
          type: 'app_direct_message',
          messageId: 'm',
          targetUserId: target,
          payload: { to: target },
        })
        assert.deepEqual((await to.game.next('app_message_received')).payload, { to: target })
        assert.equal((await from.game.next('app_direct_message_response')).success, true)
        from.game.send({ type: 'app_room_join', roomId: 'r' })
        await from.game.next('app_room_updated')
      }
      const joined = await first.game.next('app_room_updated')
      assert.equal((joined.roomData as { memberCount: number }).memberCount, 2)
      second.game.send({ type: 'app_broadcast_message', messageId: 'hello', payload: 1, roomId: 'r' })
      assert.equal((await first.game.next('app_message_received')).messageId, 'hello')
    })

    test('SHARE-42: when a node stops, its rooms are closed and its users are gone', async (t) => {
      const third = (await startNodes(t, database, 1, { env: { ...one.env, PORT: '0' } }))[0] as LocalCloud
      const ann = await startGame(t, one, 'x@example.com')
      await startGame(t, third, 'y@example.com')
      while (!(await usersOn(one)).includes('y@example.com'));
      await third.stop()
      while ((await usersOn(one)).includes('y@example.com'));
      ann.game.send({ type: 'app_direct_message', messageId: 'm', targetUserId: 'y@example.com', payload: 1 })
      assert.equal((await ann.game.next('app_direct_message_response')).success, false)
    })
  })
})
