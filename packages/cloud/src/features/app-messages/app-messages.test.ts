import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppToCloud, Message } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../../session/testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../../session/testing/session-rig.ts'
import { AppMessageHub } from './hub.ts'

const GAME = 'dev.example.game'
const OTHER = 'dev.example.other'

/** The sessions of some wearers, and the hub between them. */
class Town {
  readonly hub = new AppMessageHub(() => Date.UTC(2026, 0, 1))

  wearer(name: string): Wearer {
    return new Wearer(this.hub, name)
  }

  /** Wearers at whom the game runs. */
  players(...names: string[]): Wearer[] {
    return names.map((name) => this.wearer(name))
  }
}

class Wearer {
  readonly rig: SessionRig
  game: RecordingPeer

  constructor(hub: AppMessageHub, name: string) {
    this.rig = new SessionRig([createAppDefinition(GAME), createAppDefinition(OTHER)], {
      appMessages: hub,
      userSessionId: `us${name}`,
      userEmail: `${name}@example.com`,
    })
    this.game = this.rig.runApp(GAME)
    this.game.takeMessages()
  }

  say(message: AppToCloud, app = this.game): void {
    this.rig.session.handleAppMessage(app.name, app, message)
  }

  join(roomId: string, roomConfig?: Extract<AppToCloud, { type: 'app_room_join' }>['roomConfig']): void {
    this.say({ type: 'app_room_join', roomId, ...(roomConfig ? { roomConfig } : {}) })
  }

  /** Takes what the game was told, without the times. */
  told(): object[] {
    return this.game.takeMessages().map(({ timestamp, ...told }) => told)
  }
}

const hello: AppToCloud = { type: 'app_broadcast_message', messageId: 'm1', payload: { text: 'hello' } }
const typesOf = (told: object[]) => told.map((message) => (message as Message).type)
const codesOf = (told: object[]) => told.map((message) => (message as Message).code)

describe('messages', () => {
  test('A2A-1 A2A-4: a broadcast reaches the same app at the other wearers', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    const other = eve.rig.runApp(OTHER)
    other.takeMessages()
    const forged = { ...hello, senderUserId: 'root@example.com', sessionId: 'usroot-x', packageName: OTHER }
    ann.say(forged)
    const received = {
      type: 'app_message_received',
      messageId: 'm1',
      payload: { text: 'hello' },
      senderUserId: 'ann@example.com',
      senderSessionId: `usann-${GAME}`,
    }
    assert.deepEqual(bob.told(), [received])
    assert.deepEqual(eve.told(), [received])
    assert.deepEqual(ann.told(), [])
    assert.deepEqual(other.takeMessages(), [])
  })

  test('A2A-2: a broadcast to a room stays in the room', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess')
    bob.join('chess')
    ann.told()
    bob.told()
    ann.say({ ...hello, roomId: 'chess' })
    assert.deepEqual(
      bob.told().map((message) => (message as Message).roomId),
      ['chess'],
    )
    eve.say({ ...hello, roomId: 'chess' })
    eve.say({ ...hello, roomId: 'no such room' })
    assert.deepEqual(codesOf(eve.told()), ['NOT_IN_ROOM', 'NOT_IN_ROOM'])
    assert.deepEqual([ann.told(), bob.told()], [[], []])
  })

  test('A2A-3: a direct message is answered with whether it arrived', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    const direct = { type: 'app_direct_message', messageId: 'd1', payload: 7 } as const
    ann.say({ ...direct, targetUserId: 'Bob@Example.com' })
    assert.deepEqual(ann.told(), [
      {
        type: 'app_direct_message_response',
        messageId: 'd1',
        success: true,
        targetUserId: 'Bob@Example.com',
      },
    ])
    assert.deepEqual(typesOf(bob.told()), ['app_message_received'])
    assert.deepEqual(eve.told(), [])

    bob.rig.stopApp(GAME)
    bob.rig.runApp(OTHER)
    for (const targetUserId of ['bob@example.com', 'nobody@example.com']) ann.say({ ...direct, targetUserId })
    const answers = ann.told() as { success: boolean; error: string }[]
    assert.deepEqual(
      answers.map(({ success }) => success),
      [false, false],
    )
    assert.match(answers[0]?.error ?? '', /does not run/)
  })

  test('A2A-5: a payload beyond 64 KiB goes nowhere', () => {
    const town = new Town()
    const [ann, bob] = town.players('ann', 'bob')
    assert.ok(ann && bob)
    // With its two quotes the text is as long as the limit allows.
    const largest = 'é'.repeat((64 * 1024 - 2) / 2)
    ann.say({ ...hello, payload: largest })
    assert.equal(bob.told().length, 1)
    ann.say({ ...hello, payload: `${largest}!` })
    ann.say({
      type: 'app_direct_message',
      messageId: 'd1',
      targetUserId: 'bob@example.com',
      payload: `${largest}!`,
    })
    const [refused, answer] = ann.told() as Message[]
    assert.deepEqual([refused?.code, refused?.correlationId], ['PAYLOAD_TOO_LARGE', 'm1'])
    assert.deepEqual([answer?.messageId, answer?.success], ['d1', false])
    assert.equal(ann.game.closed, undefined)
    assert.deepEqual(bob.told(), [])
  })

  test('A2A-6: without an acknowledged socket nothing comes, and the rooms stay', () => {
    const town = new Town()
    const [ann, bob] = town.players('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess')
    bob.join('chess')
    bob.game.close(1006, 'broken')
    ann.say(hello)
    bob.game = bob.rig.connectAppUnacknowledged(GAME)
    ann.say(hello)
    ann.say({ type: 'app_direct_message', messageId: 'd1', targetUserId: 'bob@example.com' })
    assert.equal((ann.told().at(-1) as Message | undefined)?.success, false)
    assert.deepEqual(bob.told(), [])
    bob.rig.flush()
    assert.ok(!typesOf(bob.told()).includes('app_message_received'))
    ann.say({ ...hello, roomId: 'chess' })
    assert.deepEqual(typesOf(bob.told()), ['app_message_received'])

    bob.game.close(1006, 'broken')
    bob.rig.clock.advance(5_000)
    assert.deepEqual(typesOf(ann.told()), ['app_user_left', 'app_room_updated'])
  })
})

describe('rooms', () => {
  test('A2A-10 A2A-12: who enters is announced', () => {
    const town = new Town()
    const [ann, bob] = town.players('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess', { maxUsers: 500, isPrivate: true, metadata: { board: 1 } })
    const update = (memberCount: number) => ({
      type: 'app_room_updated',
      roomId: 'chess',
      updateType: 'user_joined',
      roomData: { memberCount, maxUsers: 100, isPrivate: true, metadata: { board: 1 } },
    })
    assert.deepEqual(ann.told(), [update(1)])
    bob.join('chess', { maxUsers: 1, metadata: 'of bob' })
    assert.deepEqual(bob.told(), [update(2)])
    const joined = {
      type: 'app_user_joined',
      userId: 'bob@example.com',
      sessionId: `usbob-${GAME}`,
      joinedAt: '2026-01-01T00:00:00.000Z',
      roomId: 'chess',
    }
    assert.deepEqual(ann.told(), [joined, update(2)])
  })

  test('A2A-11: who leaves is announced, however that comes', () => {
    const ways: ((wearer: Wearer) => void)[] = [
      (wearer) => wearer.say({ type: 'app_room_leave', roomId: 'chess' }),
      (wearer) => wearer.rig.stopApp(GAME),
      (wearer) => wearer.rig.session.end(),
      (wearer) => wearer.rig.session.suspend(),
    ]
    for (const go of ways) {
      const town = new Town()
      const [ann, bob] = town.players('ann', 'bob')
      assert.ok(ann && bob)
      ann.join('chess')
      bob.join('chess')
      ann.told()
      go(bob)
      const [left, update] = ann.told() as Message[]
      assert.deepEqual(
        [left?.type, left?.userId, left?.roomId],
        ['app_user_left', 'bob@example.com', 'chess'],
      )
      const roomData = { memberCount: 1, maxUsers: 100, isPrivate: false }
      assert.deepEqual([update?.updateType, update?.roomData], ['user_left', roomData])
      go(bob)
      assert.deepEqual(ann.told(), [])
    }
  })

  test('A2A-12: the last one out ends the room, and large metadata makes none', () => {
    const town = new Town()
    const [ann, bob] = town.players('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess', { maxUsers: 1 })
    ann.say({ type: 'app_room_leave', roomId: 'chess' })
    ann.told()
    bob.join('chess')
    assert.equal((bob.told()[0] as { roomData: Message }).roomData.maxUsers, 100)
    bob.join('go', { metadata: 'x'.repeat(4 * 1024) })
    assert.deepEqual(codesOf(bob.told()), ['PAYLOAD_TOO_LARGE'])
    bob.say({ ...hello, roomId: 'go' })
    assert.deepEqual(codesOf(bob.told()), ['NOT_IN_ROOM'])
  })

  test('A2A-13: a full room takes nobody, and who is in is in', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess', { maxUsers: 2 })
    bob.join('chess')
    ann.told()
    bob.told()
    eve.join('chess')
    assert.deepEqual(codesOf(eve.told()), ['ROOM_FULL'])
    bob.join('chess')
    assert.deepEqual(typesOf(bob.told()), ['app_room_updated'])
    assert.deepEqual(ann.told(), [])
    ann.say({ type: 'app_room_leave', roomId: 'chess' })
    eve.join('chess')
    assert.deepEqual(typesOf(eve.told()), ['app_room_updated'])
  })

  test('A2A-14: rooms are counted', () => {
    const town = new Town()
    const players = Array.from({ length: 51 }, (_, n) => town.wearer(`p${n}`))
    const [last] = players.slice(-1)
    for (const [n, player] of players.slice(0, 50).entries()) {
      for (let room = 0; room < 20; room += 1) player.join(`room ${n} ${room}`)
      assert.deepEqual(new Set(typesOf(player.told())), new Set(['app_room_updated']))
      // Of the app's own limit the first ones are far away.
      player.join('one too many')
      assert.deepEqual(codesOf(player.told()), ['TOO_MANY_ROOMS'])
    }
    last?.join('a new one')
    assert.deepEqual(codesOf(last?.told() ?? []), ['TOO_MANY_ROOMS'])
    last?.join('room 0 0')
    assert.deepEqual(typesOf(last?.told() ?? []), ['app_room_updated'])
  })

  test('A2A-1 A2A-2: apps of another package have rooms of their own', () => {
    const town = new Town()
    const [ann, bob] = town.players('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess')
    ann.told()
    const other = bob.rig.runApp(OTHER)
    bob.say({ type: 'app_room_join', roomId: 'chess' }, other)
    bob.say({ ...hello, roomId: 'chess' }, other)
    bob.say(hello, other)
    assert.deepEqual(ann.told(), [])
    assert.deepEqual(town.hub.usersOf(OTHER).length, 1)
  })
})
describe('changes of rooms', () => {
  const updates = (told: object[]) =>
    told.filter((message) => (message as Message).type === 'app_room_updated') as Message[]

  test('A2A-15: the one longest there changes the room for all', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess', { isPrivate: true, metadata: { board: 1 } })
    bob.join('chess')
    ann.told()
    bob.told()
    ann.join('chess', { maxUsers: 1, metadata: { board: 2 } })
    const changed = {
      type: 'app_room_updated',
      roomId: 'chess',
      updateType: 'config_changed',
      roomData: { memberCount: 2, maxUsers: 1, isPrivate: true, metadata: { board: 2 } },
    }
    assert.deepEqual([ann.told(), bob.told()], [[changed], [changed]])
    eve.join('chess')
    assert.deepEqual(codesOf(eve.told()), ['ROOM_FULL'])

    // Neither the same again, nor what others wish for, changes anything.
    for (const wish of [undefined, { maxUsers: 1 }, { maxUsers: null, metadata: { board: 2 } }])
      ann.join('chess', wish)
    bob.join('chess', { maxUsers: 50 })
    assert.deepEqual(
      [...updates(ann.told()), ...updates(bob.told())].map(({ updateType }) => updateType),
      Array(4).fill('user_joined'),
    )
    eve.join('chess')
    assert.deepEqual(codesOf(eve.told()), ['ROOM_FULL'])

    ann.say({ type: 'app_room_leave', roomId: 'chess' })
    bob.told()
    bob.join('chess', { maxUsers: 50 })
    assert.deepEqual(
      updates(bob.told()).map(({ updateType }) => updateType),
      ['config_changed'],
    )
    eve.join('chess')
    assert.deepEqual(typesOf(eve.told()), ['app_room_updated'])
  })

  test('A2A-16: who is in a room when it ends is told', () => {
    const town = new Town()
    const [ann, bob, eve] = town.players('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    for (const player of [ann, bob, eve]) player.join('chess', { isPrivate: true })
    eve.say({ type: 'app_room_leave', roomId: 'chess' })
    for (const player of [ann, bob, eve]) player.told()
    const closed = {
      type: 'app_room_updated',
      updateType: 'room_closed',
      roomData: { memberCount: 0, maxUsers: 100, isPrivate: true },
    }
    town.hub.close()
    assert.deepEqual(eve.told(), [])
    for (const player of [ann, bob]) {
      assert.deepEqual(player.told(), [{ ...closed, roomId: 'chess' }])
      player.say({ ...hello, roomId: 'chess' })
      assert.deepEqual(codesOf(player.told()), ['NOT_IN_ROOM'])
    }
    ann.join('chess', { maxUsers: 3 })
    assert.deepEqual(updates(ann.told())[0]?.roomData, { memberCount: 1, maxUsers: 3, isPrivate: false })
    bob.say({ type: 'app_room_leave', roomId: 'chess' })
    assert.deepEqual([ann.told(), bob.told()], [[], []])
  })
})
