import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppToCloud, Message } from '@glasses-cloud/contract'
import type { AppMember } from '../../session/index.ts'
import type { RecordingPeer } from '../../session/testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../../session/testing/session-rig.ts'
import { AppMessageHub } from './hub.ts'

const GAME = 'dev.example.game'
const OTHER = 'dev.example.other'

/** The sessions of several users, and the hub that connects them. */
class MultiUserRig {
  /** Slices of deliveries that are due. */
  readonly slices: (() => void)[] = []
  now = Date.UTC(2026, 0, 1)
  readonly hub = new AppMessageHub({ now: () => this.now, monotonicNow: () => this.now }, (run) =>
    this.slices.push(run),
  )

  user(name: string): TestUser {
    return new TestUser(this, name)
  }

  /** Users who are running the game. */
  users(...names: string[]): TestUser[] {
    return names.map((name) => this.user(name))
  }

  /** Runs all slices that are due. */
  runSlices(): void {
    for (let run = this.slices.shift(); run; run = this.slices.shift()) run()
  }
}

class TestUser {
  readonly rig: SessionRig
  readonly #users: MultiUserRig
  game: RecordingPeer

  constructor(users: MultiUserRig, name: string) {
    this.#users = users
    this.rig = new SessionRig([createAppDefinition(GAME), createAppDefinition(OTHER)], {
      appMessages: users.hub,
      userSessionId: `us${name}`,
      userEmail: `${name}@example.com`,
    })
    this.game = this.rig.runApp(GAME)
    this.game.takeMessages()
  }

  send(message: AppToCloud, app = this.game): void {
    this.rig.session.handleAppMessage(app.name, app, message)
  }

  join(roomId: string, roomConfig?: Extract<AppToCloud, { type: 'app_room_join' }>['roomConfig']): void {
    this.send({ type: 'app_room_join', roomId, ...(roomConfig ? { roomConfig } : {}) })
  }

  /** Removes and returns the messages that the game received, without timestamps. */
  takeReceived(): object[] {
    this.#users.runSlices()
    return this.game.takeMessages().map(({ timestamp, ...message }) => message)
  }
}

const hello: AppToCloud = { type: 'app_broadcast_message', messageId: 'm1', payload: { text: 'hello' } }
const typesOf = (messages: object[]) => messages.map((message) => (message as Message).type)
const codesOf = (messages: object[]) => messages.map((message) => (message as Message).code)

describe('messages', () => {
  test('A2A-1 A2A-4: a broadcast is sent to the same app of other users', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    const other = eve.rig.runApp(OTHER)
    other.takeMessages()
    const forged = { ...hello, senderUserId: 'root@example.com', sessionId: 'usroot-x', packageName: OTHER }
    ann.send(forged)
    const received = {
      type: 'app_message_received',
      messageId: 'm1',
      payload: { text: 'hello' },
      senderUserId: 'ann@example.com',
      senderSessionId: `usann-${GAME}`,
    }
    assert.deepEqual(bob.takeReceived(), [received])
    assert.deepEqual(eve.takeReceived(), [received])
    assert.deepEqual(ann.takeReceived(), [])
    assert.deepEqual(other.takeMessages(), [])
  })

  test('A2A-2: a broadcast to a room is sent to its members only', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess')
    bob.join('chess')
    ann.takeReceived()
    bob.takeReceived()
    ann.send({ ...hello, roomId: 'chess' })
    assert.deepEqual(
      bob.takeReceived().map((message) => (message as Message).roomId),
      ['chess'],
    )
    eve.send({ ...hello, roomId: 'chess' })
    eve.send({ ...hello, roomId: 'no such room' })
    assert.deepEqual(codesOf(eve.takeReceived()), ['NOT_IN_ROOM', 'NOT_IN_ROOM'])
    assert.deepEqual([ann.takeReceived(), bob.takeReceived()], [[], []])
  })

  test('A2A-3: the response to a direct message reports whether it was sent', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    const direct = { type: 'app_direct_message', messageId: 'd1', payload: 7 } as const
    ann.send({ ...direct, targetUserId: 'Bob@Example.com' })
    assert.deepEqual(ann.takeReceived(), [
      {
        type: 'app_direct_message_response',
        messageId: 'd1',
        success: true,
        targetUserId: 'Bob@Example.com',
      },
    ])
    assert.deepEqual(typesOf(bob.takeReceived()), ['app_message_received'])
    assert.deepEqual(eve.takeReceived(), [])

    bob.rig.stopApp(GAME)
    bob.rig.runApp(OTHER)
    for (const targetUserId of ['bob@example.com', 'unknown@example.com'])
      ann.send({ ...direct, targetUserId })
    const responses = ann.takeReceived() as { success: boolean; error: string }[]
    assert.deepEqual(
      responses.map(({ success }) => success),
      [false, false],
    )
    assert.match(responses[0]?.error ?? '', /does not run/)
  })

  test('A2A-5: a payload larger than 64 KiB is not sent', () => {
    const users = new MultiUserRig()
    const [ann, bob] = users.users('ann', 'bob')
    assert.ok(ann && bob)
    // With its two quotes the text has exactly the maximum size.
    const largest = 'é'.repeat((64 * 1024 - 2) / 2)
    ann.send({ ...hello, payload: largest })
    assert.equal(bob.takeReceived().length, 1)
    ann.send({ ...hello, payload: `${largest}!` })
    ann.send({
      type: 'app_direct_message',
      messageId: 'd1',
      targetUserId: 'bob@example.com',
      payload: `${largest}!`,
    })
    const [rejection, response] = ann.takeReceived() as Message[]
    assert.deepEqual([rejection?.code, rejection?.correlationId], ['PAYLOAD_TOO_LARGE', 'm1'])
    assert.deepEqual([response?.messageId, response?.success], ['d1', false])
    assert.equal(ann.game.closed, undefined)
    assert.deepEqual(bob.takeReceived(), [])
  })

  test('A2A-6: an app before its acknowledgement, and one that is disconnected', () => {
    const users = new MultiUserRig()
    const [ann, bob] = users.users('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess')
    bob.join('chess')
    bob.game.close(1006, 'broken')
    ann.send(hello)
    bob.game = bob.rig.connectAppUnacknowledged(GAME)
    ann.send(hello)
    ann.send({ type: 'app_direct_message', messageId: 'd1', targetUserId: 'bob@example.com' })
    assert.equal((ann.takeReceived().at(-1) as Message | undefined)?.success, false)
    assert.deepEqual(bob.takeReceived(), [])
    bob.rig.flush()
    assert.ok(!typesOf(bob.takeReceived()).includes('app_message_received'))
    ann.send({ ...hello, roomId: 'chess' })
    assert.deepEqual(typesOf(bob.takeReceived()), ['app_message_received'])

    bob.game.close(1006, 'broken')
    bob.rig.clock.advance(5_000)
    assert.deepEqual(typesOf(ann.takeReceived()), ['app_user_left', 'app_room_updated'])
  })
})

describe('rooms', () => {
  test('A2A-10 A2A-12: a member that joins is announced', () => {
    const users = new MultiUserRig()
    const [ann, bob] = users.users('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess', { maxUsers: 500, isPrivate: true, metadata: { board: 1 } })
    const update = (memberCount: number) => ({
      type: 'app_room_updated',
      roomId: 'chess',
      updateType: 'user_joined',
      roomData: { memberCount, maxUsers: 100, isPrivate: true, metadata: { board: 1 } },
    })
    assert.deepEqual(ann.takeReceived(), [update(1)])
    bob.join('chess', { maxUsers: 1, metadata: 'of bob' })
    assert.deepEqual(bob.takeReceived(), [update(2)])
    const joined = {
      type: 'app_user_joined',
      userId: 'bob@example.com',
      sessionId: `usbob-${GAME}`,
      joinedAt: '2026-01-01T00:00:00.000Z',
      roomId: 'chess',
    }
    assert.deepEqual(ann.takeReceived(), [joined, update(2)])
  })

  test('A2A-11: a member that leaves is announced, regardless of the reason', () => {
    const ways: ((user: TestUser) => void)[] = [
      (user) => user.send({ type: 'app_room_leave', roomId: 'chess' }),
      (user) => user.rig.stopApp(GAME),
      (user) => user.rig.session.end(),
      (user) => user.rig.session.suspend(),
    ]
    for (const go of ways) {
      const users = new MultiUserRig()
      const [ann, bob] = users.users('ann', 'bob')
      assert.ok(ann && bob)
      ann.join('chess')
      bob.join('chess')
      ann.takeReceived()
      go(bob)
      const [left, update] = ann.takeReceived() as Message[]
      assert.deepEqual(
        [left?.type, left?.userId, left?.roomId],
        ['app_user_left', 'bob@example.com', 'chess'],
      )
      const roomData = { memberCount: 1, maxUsers: 100, isPrivate: false }
      assert.deepEqual([update?.updateType, update?.roomData], ['user_left', roomData])
      go(bob)
      assert.deepEqual(ann.takeReceived(), [])
    }
  })

  test('A2A-12: a room ends with its last member, and large metadata is rejected', () => {
    const users = new MultiUserRig()
    const [ann, bob] = users.users('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess', { maxUsers: 1 })
    ann.send({ type: 'app_room_leave', roomId: 'chess' })
    ann.takeReceived()
    bob.join('chess')
    assert.equal((bob.takeReceived()[0] as { roomData: Message }).roomData.maxUsers, 100)
    bob.join('go', { metadata: 'x'.repeat(4 * 1024) })
    assert.deepEqual(codesOf(bob.takeReceived()), ['PAYLOAD_TOO_LARGE'])
    bob.send({ ...hello, roomId: 'go' })
    assert.deepEqual(codesOf(bob.takeReceived()), ['NOT_IN_ROOM'])
  })

  test('A2A-13: a full room rejects new members; a member can join again', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess', { maxUsers: 2 })
    bob.join('chess')
    ann.takeReceived()
    bob.takeReceived()
    eve.join('chess')
    assert.deepEqual(codesOf(eve.takeReceived()), ['ROOM_FULL'])
    bob.join('chess')
    assert.deepEqual(typesOf(bob.takeReceived()), ['app_room_updated'])
    assert.deepEqual(ann.takeReceived(), [])
    ann.send({ type: 'app_room_leave', roomId: 'chess' })
    eve.join('chess')
    assert.deepEqual(typesOf(eve.takeReceived()), ['app_room_updated'])
  })

  test('A2A-14: the number of rooms is limited', () => {
    const users = new MultiUserRig()
    const players = Array.from({ length: 51 }, (_, n) => users.user(`p${n}`))
    const [last] = players.slice(-1)
    for (const [n, player] of players.slice(0, 50).entries()) {
      for (let room = 0; room < 20; room += 1) player.join(`room ${n} ${room}`)
      assert.deepEqual(new Set(typesOf(player.takeReceived())), new Set(['app_room_updated']))
      // The limit of the session applies, not that of the app.
      player.join('one too many')
      assert.deepEqual(codesOf(player.takeReceived()), ['TOO_MANY_ROOMS'])
    }
    last?.join('a new one')
    assert.deepEqual(codesOf(last?.takeReceived() ?? []), ['TOO_MANY_ROOMS'])
    last?.join('room 0 0')
    assert.deepEqual(typesOf(last?.takeReceived() ?? []), ['app_room_updated'])
  })

  test('A2A-1 A2A-2: apps of another package have separate rooms', () => {
    const users = new MultiUserRig()
    const [ann, bob] = users.users('ann', 'bob')
    assert.ok(ann && bob)
    ann.join('chess')
    ann.takeReceived()
    const other = bob.rig.runApp(OTHER)
    bob.send({ type: 'app_room_join', roomId: 'chess' }, other)
    bob.send({ ...hello, roomId: 'chess' }, other)
    bob.send(hello, other)
    assert.deepEqual(ann.takeReceived(), [])
    assert.deepEqual(users.hub.usersOf(OTHER).length, 1)
  })
})

describe('changes of rooms', () => {
  const updates = (messages: object[]) =>
    messages.filter((message) => (message as Message).type === 'app_room_updated') as Message[]

  test('A2A-15: the longest-standing member can change the options', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    ann.join('chess', { isPrivate: true, metadata: { board: 1 } })
    bob.join('chess')
    ann.takeReceived()
    bob.takeReceived()
    ann.join('chess', { maxUsers: 1, metadata: { board: 2 } })
    const changed = {
      type: 'app_room_updated',
      roomId: 'chess',
      updateType: 'config_changed',
      roomData: { memberCount: 2, maxUsers: 1, isPrivate: true, metadata: { board: 2 } },
    }
    assert.deepEqual([ann.takeReceived(), bob.takeReceived()], [[changed], [changed]])
    eve.join('chess')
    assert.deepEqual(codesOf(eve.takeReceived()), ['ROOM_FULL'])

    // The same options again, or options of another member, change nothing.
    for (const options of [undefined, { maxUsers: 1 }, { metadata: { board: 2 } }]) ann.join('chess', options)
    bob.join('chess', { maxUsers: 50 })
    assert.deepEqual(
      [...updates(ann.takeReceived()), ...updates(bob.takeReceived())].map(({ updateType }) => updateType),
      Array(4).fill('user_joined'),
    )
    eve.join('chess')
    assert.deepEqual(codesOf(eve.takeReceived()), ['ROOM_FULL'])

    ann.send({ type: 'app_room_leave', roomId: 'chess' })
    bob.takeReceived()
    bob.join('chess', { maxUsers: 50 })
    assert.deepEqual(
      updates(bob.takeReceived()).map(({ updateType }) => updateType),
      ['config_changed'],
    )
    eve.join('chess')
    assert.deepEqual(typesOf(eve.takeReceived()), ['app_room_updated'])
  })

  test('A2A-16: members are notified when a room closes', () => {
    const users = new MultiUserRig()
    const [ann, bob, eve] = users.users('ann', 'bob', 'eve')
    assert.ok(ann && bob && eve)
    for (const player of [ann, bob, eve]) player.join('chess', { isPrivate: true })
    eve.send({ type: 'app_room_leave', roomId: 'chess' })
    for (const player of [ann, bob, eve]) player.takeReceived()
    const closed = {
      type: 'app_room_updated',
      updateType: 'room_closed',
      roomData: { memberCount: 0, maxUsers: 100, isPrivate: true },
    }
    users.hub.close()
    assert.deepEqual(eve.takeReceived(), [])
    for (const player of [ann, bob]) {
      assert.deepEqual(player.takeReceived(), [{ ...closed, roomId: 'chess' }])
      player.send({ ...hello, roomId: 'chess' })
      assert.deepEqual(codesOf(player.takeReceived()), ['NOT_IN_ROOM'])
    }
    ann.join('chess', { maxUsers: 3 })
    assert.deepEqual(updates(ann.takeReceived())[0]?.roomData, {
      memberCount: 1,
      maxUsers: 3,
      isPrivate: false,
    })
    bob.send({ type: 'app_room_leave', roomId: 'chess' })
    assert.deepEqual([ann.takeReceived(), bob.takeReceived()], [[], []])
  })
})

describe('fan-out', () => {
  const PAYLOAD_BYTES = 32 * 1024
  const SLICE_BYTES = 512 * 1024
  const broadcast = (n: number): AppToCloud => ({
    type: 'app_broadcast_message',
    messageId: `m${n}`,
    payload: 'x'.repeat(PAYLOAD_BYTES),
  })
  const receivedIds = (peer: RecordingPeer) =>
    peer.messagesOfType('app_message_received').map(({ messageId }) => messageId)

  test('A2A-1: a message is encoded once per dialect, regardless of the number of recipients', () => {
    const { hub } = new MultiUserRig()
    const encoded: unknown[] = []
    const memberOf = (name: string, dialect: 'flat' | 'envelope'): AppMember => ({
      packageName: GAME,
      userEmail: `${name}@example.com`,
      sessionId: `us${name}-${GAME}`,
      joinedAt: '2026-01-01T00:00:00.000Z',
      deliver: (message) => encoded.push(message.encode(dialect)) > 0,
    })
    let serializations = 0
    const payload = { toJSON: () => (serializations += 1) }
    const [ann] = [memberOf('ann', 'flat')]
    assert.ok(ann)
    hub.enter(ann)
    for (let n = 0; n < 20; n += 1) hub.enter(memberOf(`p${n}`, n % 2 === 0 ? 'flat' : 'envelope'))
    const message = {
      type: 'app_message_received',
      messageId: 'm1',
      payload,
      senderUserId: 'ann@example.com',
    } as const
    const rest = { senderSessionId: 's', timestamp: '2026-01-01T00:00:00.000Z' }
    hub.broadcast(ann, { ...message, ...rest }, () => {})
    assert.equal(encoded.length, 20)
    assert.equal(new Set(encoded).size, 2)
    assert.equal(serializations, 2)
  })

  test('A2A-32: two apps with many recipients each', () => {
    const users = new MultiUserRig()
    const [ann, ...others] = users.users('ann', ...Array.from({ length: 100 }, (_, n) => `p${n}`))
    assert.ok(ann)
    const count = () => others.reduce((sum, { game }) => sum + receivedIds(game).length, 0)
    ann.send(broadcast(1))
    ann.send(broadcast(2))
    ann.send({ type: 'app_direct_message', messageId: 'd1', targetUserId: 'p0@example.com' })
    const perSlice = SLICE_BYTES / PAYLOAD_BYTES
    assert.ok(count() > 0 && count() <= perSlice, `${count()} deliveries in the first slice`)

    // Another app is served although the first one has a long queue.
    const [one, other] = others.slice(-2)
    assert.ok(one && other)
    const sender = one.rig.runApp(OTHER)
    const receiver = other.rig.runApp(OTHER)
    one.send({ type: 'app_broadcast_message', messageId: 'of the other app' }, sender)
    let slices = 0
    for (let run = users.slices.shift(); run; run = users.slices.shift()) {
      const before = count()
      run()
      slices += 1
      assert.ok(count() - before <= perSlice + 1, `${count() - before} deliveries in a slice`)
      if (slices === 2) assert.deepEqual(receivedIds(receiver), ['of the other app'])
    }
    assert.ok(slices >= 12)
    for (const { game } of others.slice(1)) assert.deepEqual(receivedIds(game), ['m1', 'm2'])
    assert.deepEqual(receivedIds(others[0]?.game ?? assert.fail()), ['m1', 'm2', 'd1'])
    assert.equal(ann.game.lastOfType('app_direct_message_response')?.success, true)
  })

  test('A2A-31: bytes times recipients are charged to the sender, whose further messages are rejected', () => {
    const users = new MultiUserRig()
    const [ann, bob, ...others] = users.users('ann', 'bob', ...Array.from({ length: 98 }, (_, n) => `p${n}`))
    assert.ok(ann && bob)
    let sent = 0
    while (sent < 100) {
      ann.send(broadcast(sent))
      if (codesOf(ann.takeReceived()).includes('RATE_LIMITED')) break
      sent += 1
    }
    // 16 MiB at 99 recipients of 32 KiB: the message that exhausts the budget is still sent.
    assert.equal(sent, 6)
    for (const { game } of others) assert.equal(receivedIds(game).length, sent)
    ann.send({ type: 'app_direct_message', messageId: 'd1', targetUserId: 'bob@example.com' })
    ann.join('chess')
    const [response, rejection] = ann.takeReceived() as Message[]
    assert.equal(response?.success, false)
    assert.equal(rejection?.code, 'RATE_LIMITED')
    bob.send(broadcast(1))
    assert.equal(receivedIds(ann.game).length, 1, 'other senders are not affected')

    // A restart of the app does not refill the budget, time does.
    ann.rig.stopApp(GAME)
    ann.rig.answerWebhooks('stop_request')
    ann.game = ann.rig.runApp(GAME)
    ann.takeReceived()
    ann.send(broadcast(7))
    assert.deepEqual(codesOf(ann.takeReceived()), ['RATE_LIMITED'])
    users.now += 1_000
    ann.send(broadcast(8))
    assert.deepEqual(ann.takeReceived(), [])
  })

  test('A2A-16 A2A-32: queued deliveries are sent at shutdown', () => {
    const users = new MultiUserRig()
    const [ann, ...others] = users.users('ann', ...Array.from({ length: 100 }, (_, n) => `p${n}`))
    assert.ok(ann)
    ann.send(broadcast(1))
    users.hub.close()
    for (const { game } of others) assert.deepEqual(receivedIds(game), ['m1'])
  })
})
