import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import { DelayedMessageHub } from '../delayed-message-hub.ts'
import type { Environment } from '../environment.ts'
import { OtherUserApp, PACKAGES } from '../fixtures.ts'
import { RequestTracker } from '../request-tracker.ts'
import type { Area, Step } from './area.ts'

const ROOM_IDS = ['room0', 'room1'] as const
const USER = 'wearer@example.com'

/** Timeout of the app SDK for the response to a direct message. */
const TIMEOUT_MS = 15_000

/** The expected state of a room. The user who joined first sets its capacity. */
interface Room {
  maxUsers: number
  readonly users: Set<string>
}

/** Messages between apps of different users: direct, in rooms and broadcast. */
export class AppMessages implements Area {
  readonly ports: { readonly appMessages: DelayedMessageHub }
  readonly steps: readonly Step[] = [
    [5, 'an app joins a room', () => this.#join()],
    [1, 'an app joins many rooms', () => this.#joinMany()],
    [2, 'an app leaves a room', () => this.#leave()],
    [4, 'an app sends a direct message', () => this.#direct()],
    [3, 'an app broadcasts a message', () => this.#broadcast()],
    [3, 'another user joins or leaves a room', () => this.#otherUserMoves()],
    [4, 'another user sends a message', () => this.#otherUserSends()],
  ]
  readonly #env: Environment
  readonly #hub: DelayedMessageHub
  readonly #directMessages: RequestTracker
  readonly #rejections: RequestTracker
  readonly #otherApps: readonly OtherUserApp[]
  /** By package name and room id. */
  readonly #rooms = new Map<string, Room>()
  /** The apps that received the current message. */
  #receivers: string[] = []

  constructor(env: Environment) {
    this.#env = env
    this.#hub = new DelayedMessageHub(env)
    this.ports = { appMessages: this.#hub }
    this.#directMessages = new RequestTracker(env, {
      kind: 'direct message',
      timeoutMs: TIMEOUT_MS,
      needsSocket: true,
      hasOnlyMarkedResponses: false,
    })
    this.#rejections = new RequestTracker(env, {
      kind: 'rejection',
      timeoutMs: TIMEOUT_MS,
      needsSocket: true,
      hasOnlyMarkedResponses: false,
    })
    this.#otherApps = PACKAGES.slice(0, 3).flatMap((packageName) => [
      new OtherUserApp(packageName, 'ann'),
      new OtherUserApp(packageName, 'bob'),
    ])
    for (const other of this.#otherApps) this.#hub.enter(other)
  }

  onAppMessage(packageName: string, message: Message): void {
    const { type, messageId, code, correlationId } = message
    if (type === 'app_direct_message_response')
      this.#directMessages.onResponse(packageName, String(messageId))
    if (['ROOM_FULL', 'TOO_MANY_ROOMS', 'NOT_IN_ROOM'].includes(String(code)))
      this.#rejections.onResponse(packageName, String(correlationId))
    if (type === 'app_message_received') this.#receivers.push(packageName)
    if (['app_user_joined', 'app_user_left', 'app_room_updated'].includes(type)) {
      const { roomId, userId } = message
      const left = type === 'app_user_left' && userId === USER
      assert(
        left || this.#isIn(packageName, USER, String(roomId)),
        `${packageName} receives messages only of rooms it is in`,
      )
    }
  }

  onAppLost(packageName: string): void {
    this.#directMessages.removeAllOf(packageName)
    this.#rejections.removeAllOf(packageName)
    for (const key of [...this.#rooms.keys()]) {
      const [of, roomId] = key.split(' ')
      if (of === packageName && roomId !== undefined) this.#leaveModel(packageName, USER, roomId)
    }
  }

  checkAlways(): void {
    this.#directMessages.check()
    this.#rejections.check()
    for (const { packageName, userEmail, memberCounts } of this.#otherApps)
      for (const roomId of ROOM_IDS) {
        if (!this.#isIn(packageName, userEmail, roomId)) continue
        const { users } = this.#roomOf(packageName, roomId) ?? {}
        assert.equal(
          memberCounts.get(roomId),
          users?.size,
          `the member count of ${roomId} of ${packageName} is current`,
        )
      }
    const { activeApps } = this.#env
    for (const packageName of PACKAGES)
      if (!activeApps.includes(packageName))
        assert(!this.#hub.isReachable(packageName, USER), `${packageName} is reachable only while it runs`)
      else if (this.#env.appSockets.acknowledgedSince(packageName) !== undefined)
        assert(this.#hub.isReachable(packageName, USER), `${packageName} is reachable while it runs`)
  }

  checkAtRest(): void {
    this.#directMessages.checkAtRest()
    this.#rejections.checkAtRest()
  }

  checkAfterEnd(): void {
    for (const packageName of PACKAGES)
      assert(!this.#hub.isReachable(packageName, USER), 'no app is reachable after the end')
    for (const { packageName, userEmail, memberCounts } of this.#otherApps)
      for (const roomId of ROOM_IDS) {
        const room = this.#roomOf(packageName, roomId)
        if (!room?.users.has(userEmail)) continue
        room.users.delete(USER)
        assert.equal(memberCounts.get(roomId), room.users.size, 'no room has members after the end')
      }
  }

  #join(roomId: string = this.#env.random.pick(ROOM_IDS), client = this.#env.pickClient()): void {
    if (!client) return
    const { packageName, send } = client
    const maxUsers = this.#env.random.pick([1, 2, 100])
    if (!this.#joinModel(packageName, USER, roomId, maxUsers)) this.#rejections.add(packageName, roomId)
    send({ type: 'app_room_join', roomId, roomConfig: { maxUsers } })
  }

  #joinMany(): void {
    const client = this.#env.pickAcknowledgedClient()
    if (!client) return
    for (let room = 0; room < 24; room += 1) this.#join(`many${room}`, client)
  }

  #leave(): void {
    const roomId = this.#env.random.pick(ROOM_IDS)
    const client = this.#env.pickClient()
    if (!client) return
    this.#leaveModel(client.packageName, USER, roomId)
    client.send({ type: 'app_room_leave', roomId })
  }

  #direct(): void {
    const client = this.#env.pickClient()
    if (!client) return
    const { packageName, send } = client
    const messageId = `m${this.#env.nextSerial()}`
    const targetUserId = this.#env.random.pick(['Ann@Example.com', 'bob@example.com', 'unknown@example.com'])
    this.#directMessages.add(packageName, messageId)
    send({ type: 'app_direct_message', messageId, targetUserId, payload: 1 })
    this.#expect(packageName, messageId, (userId) => userId === targetUserId.toLowerCase())
  }

  #broadcast(): void {
    const client = this.#env.pickClient()
    if (!client) return
    const { packageName, send } = client
    const messageId = `m${this.#env.nextSerial()}`
    const roomId = this.#env.random.chance(0.6) ? this.#env.random.pick(ROOM_IDS) : undefined
    const isIn = (userId: string) => roomId === undefined || this.#isIn(packageName, userId, roomId)
    if (!isIn(USER)) this.#rejections.add(packageName, messageId)
    send({ type: 'app_broadcast_message', messageId, payload: 1, ...(roomId ? { roomId } : {}) })
    this.#expect(packageName, messageId, (userId) => isIn(USER) && isIn(userId))
  }

  /** Asserts that exactly the expected users received the message. */
  #expect(packageName: string, messageId: string, isRecipient: (userId: string) => boolean): void {
    for (const other of this.#otherApps) {
      const received = other.messages.splice(0).map((message) => message.messageId)
      const expected = other.packageName === packageName && isRecipient(other.userEmail) ? [messageId] : []
      assert.deepEqual(received, expected, 'a message reaches exactly its recipients')
    }
  }

  #otherUserMoves(): void {
    const { random } = this.#env
    const other = random.pick(this.#otherApps)
    const { packageName, userEmail } = other
    const roomId = random.pick(ROOM_IDS)
    if (random.chance(0.3)) {
      this.#leaveModel(packageName, userEmail, roomId)
      return this.#hub.leaveRoom(other, roomId)
    }
    const maxUsers = random.pick([1, 2, 100])
    this.#joinModel(packageName, userEmail, roomId, maxUsers)
    this.#hub.joinRoom(other, roomId, { maxUsers, isPrivate: false }, () => {})
  }

  #otherUserSends(): void {
    const { random } = this.#env
    const other = random.pick(this.#otherApps)
    const { packageName, userEmail, sessionId } = other
    const about = { type: 'app_message_received', messageId: 'n', payload: 1, timestamp: '' } as const
    const message = { ...about, senderUserId: userEmail, senderSessionId: sessionId }
    const roomId = random.chance(0.6) ? random.pick(ROOM_IDS) : undefined
    const inRoom = (user: string) => roomId === undefined || this.#isIn(packageName, user, roomId)
    const isAcknowledged = this.#env.appSockets.acknowledgedSince(packageName) !== undefined
    const isReachable = isAcknowledged && this.#hub.isReachable(packageName, USER)
    this.#receivers = []
    if (roomId !== undefined) this.#hub.toRoom(other, roomId, { ...message, roomId }, () => {})
    else if (random.chance(0.5)) this.#hub.broadcast(other, message, () => {})
    else this.#hub.direct(other, USER, message, () => {})
    const expected = isReachable && inRoom(userEmail) && inRoom(USER) ? [packageName] : []
    assert.deepEqual(this.#receivers, expected, 'a message reaches exactly its recipient')
    for (const { messages } of this.#otherApps) messages.length = 0
  }

  #roomOf(packageName: string, roomId: string): Room | undefined {
    return this.#rooms.get(`${packageName} ${roomId}`)
  }

  #isIn(packageName: string, userId: string, roomId: string): boolean {
    return this.#roomOf(packageName, roomId)?.users.has(userId) ?? false
  }

  /** @returns whether the user is admitted */
  #joinModel(packageName: string, userId: string, roomId: string, maxUsers: number): boolean {
    const room = this.#roomOf(packageName, roomId) ?? { maxUsers, users: new Set() }
    const [first] = room.users
    if (first === userId) room.maxUsers = maxUsers
    if (room.users.has(userId)) return true
    const own = [...this.#rooms].filter(
      ([key, { users }]) => key.startsWith(`${packageName} `) && users.has(userId),
    )
    if (own.length >= 20 || room.users.size >= room.maxUsers) return false
    room.users.add(userId)
    this.#rooms.set(`${packageName} ${roomId}`, room)
    return true
  }

  #leaveModel(packageName: string, userId: string, roomId: string): void {
    const room = this.#roomOf(packageName, roomId)
    room?.users.delete(userId)
    if (room?.users.size === 0) this.#rooms.delete(`${packageName} ${roomId}`)
  }
}
