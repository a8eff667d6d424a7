import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import { packages } from '../cast.ts'
import { Ledger } from '../ledger.ts'
import { Neighbour } from '../neighbour.ts'
import { SlowHub } from '../slow-hub.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

const roomIds = ['room0', 'room1'] as const
const WEARER = 'wearer@example.com'

/** How long the app SDK waits for the answer to a direct message, milliseconds. */
const WAIT = 15_000

/** A room as it must be: who has been in it longest says how many it takes. */
interface Room {
  maxUsers: number
  readonly users: Set<string>
}

/** The apps of the wearer talk to themselves at neighbours, in rooms and outside. */
export class Rooms implements Area {
  readonly ports: { readonly appMessages: SlowHub }
  readonly steps: readonly Step[] = [
    [5, 'an app joins a room', () => this.#join()],
    [1, 'an app joins many rooms', () => this.#joinMany()],
    [2, 'an app leaves a room', () => this.#leave()],
    [4, 'an app tells a neighbour', () => this.#direct()],
    [3, 'an app tells many', () => this.#broadcast()],
    [3, 'a neighbour joins or leaves a room', () => this.#neighbourMoves()],
    [4, 'a neighbour says something', () => this.#neighbourSays()],
  ]
  readonly #world: World
  readonly #hub: SlowHub
  readonly #answers: Ledger
  readonly #refusals: Ledger
  readonly #neighbours: readonly Neighbour[]
  /** By package and room. */
  readonly #rooms = new Map<string, Room>()
  /** Who hears what is being said. */
  #heard: string[] = []

  constructor(world: World) {
    this.#world = world
    this.#hub = new SlowHub(world)
    this.ports = { appMessages: this.#hub }
    this.#answers = new Ledger(world, {
      what: 'direct message',
      wait: WAIT,
      bySocket: true,
      onlyGiven: false,
    })
    this.#refusals = new Ledger(world, { what: 'refusal', wait: WAIT, bySocket: true, onlyGiven: false })
    this.#neighbours = packages
      .slice(0, 3)
      .flatMap((packageName) => [new Neighbour(packageName, 'ann'), new Neighbour(packageName, 'bob')])
    for (const neighbour of this.#neighbours) this.#hub.enter(neighbour)
  }

  appHears(packageName: string, message: Message): void {
    const { type, messageId, code, correlationId } = message
    if (type === 'app_direct_message_response') this.#answers.answered(packageName, String(messageId))
    if (['ROOM_FULL', 'TOO_MANY_ROOMS', 'NOT_IN_ROOM'].includes(String(code)))
      this.#refusals.answered(packageName, String(correlationId))
    if (type === 'app_message_received') this.#heard.push(packageName)
    if (['app_user_joined', 'app_user_left', 'app_room_updated'].includes(type)) {
      const { roomId, userId } = message
      const left = type === 'app_user_left' && userId === WEARER
      assert(
        left || this.#isIn(packageName, WEARER, String(roomId)),
        `${packageName} hears of a room it is not in`,
      )
    }
  }

  appLost(packageName: string): void {
    this.#answers.drop(packageName)
    this.#refusals.drop(packageName)
    for (const key of [...this.#rooms.keys()]) {
      const [of, roomId] = key.split(' ')
      if (of === packageName && roomId !== undefined) this.#quit(packageName, WEARER, roomId)
    }
  }

  checkAlways(): void {
    this.#answers.check()
    this.#refusals.check()
    for (const { packageName, userEmail, counts } of this.#neighbours)
      for (const roomId of roomIds) {
        if (!this.#isIn(packageName, userEmail, roomId)) continue
        const { users } = this.#roomOf(packageName, roomId) ?? {}
        assert.equal(counts.get(roomId), users?.size, `who is in ${roomId} of ${packageName} is running`)
      }
    const { activeApps } = this.#world
    for (const packageName of packages)
      if (!activeApps.includes(packageName))
        assert(!this.#hub.reaches(packageName, WEARER), `${packageName} is not reached where it does not run`)
      else if (this.#world.appSockets.hearingSince(packageName) !== undefined)
        assert(this.#hub.reaches(packageName, WEARER), `${packageName} is reached where it runs`)
  }

  checkAtRest(): void {
    this.#answers.checkAtRest()
    this.#refusals.checkAtRest()
  }

  checkAfterEnd(): void {
    for (const packageName of packages)
      assert(!this.#hub.reaches(packageName, WEARER), 'nobody is reached after the end')
    for (const { packageName, userEmail, counts } of this.#neighbours)
      for (const roomId of roomIds) {
        const room = this.#roomOf(packageName, roomId)
        if (!room?.users.has(userEmail)) continue
        room.users.delete(WEARER)
        assert.equal(counts.get(roomId), room.users.size, 'nobody stays in a room after the end')
      }
  }

  #join(roomId: string = this.#world.random.pick(roomIds), speaker = this.#world.speaker()): void {
    if (!speaker) return
    const { packageName, say } = speaker
    const maxUsers = this.#world.random.pick([1, 2, 100])
    if (!this.#enter(packageName, WEARER, roomId, maxUsers)) this.#refusals.ask(packageName, roomId)
    say({ type: 'app_room_join', roomId, roomConfig: { maxUsers } })
  }

  #joinMany(): void {
    const speaker = this.#world.hearingSpeaker()
    if (!speaker) return
    for (let room = 0; room < 24; room += 1) this.#join(`many${room}`, speaker)
  }

  #leave(): void {
    const roomId = this.#world.random.pick(roomIds)
    const speaker = this.#world.speaker()
    if (!speaker) return
    this.#quit(speaker.packageName, WEARER, roomId)
    speaker.say({ type: 'app_room_leave', roomId })
  }

  #direct(): void {
    const speaker = this.#world.speaker()
    if (!speaker) return
    const { packageName, say } = speaker
    const messageId = `m${this.#world.serial()}`
    const targetUserId = this.#world.random.pick(['Ann@Example.com', 'bob@example.com', 'nobody@example.com'])
    this.#answers.ask(packageName, messageId)
    say({ type: 'app_direct_message', messageId, targetUserId, payload: 1 })
    this.#expect(packageName, messageId, (userId) => userId === targetUserId.toLowerCase())
  }

  #broadcast(): void {
    const speaker = this.#world.speaker()
    if (!speaker) return
    const { packageName, say } = speaker
    const messageId = `m${this.#world.serial()}`
    const roomId = this.#world.random.chance(0.6) ? this.#world.random.pick(roomIds) : undefined
    const isIn = (userId: string) => roomId === undefined || this.#isIn(packageName, userId, roomId)
    if (!isIn(WEARER)) this.#refusals.ask(packageName, messageId)
    say({ type: 'app_broadcast_message', messageId, payload: 1, ...(roomId ? { roomId } : {}) })
    this.#expect(packageName, messageId, (userId) => isIn(WEARER) && isIn(userId))
  }

  /** Those neighbours, and no other, got the message. */
  #expect(packageName: string, messageId: string, gets: (userId: string) => boolean): void {
    for (const neighbour of this.#neighbours) {
      const got = neighbour.messages.splice(0).map((message) => message.messageId)
      const expected = neighbour.packageName === packageName && gets(neighbour.userEmail) ? [messageId] : []
      assert.deepEqual(got, expected, 'a message reaches whom it is for, and nobody else')
    }
  }

  #neighbourMoves(): void {
    const { random } = this.#world
    const neighbour = random.pick(this.#neighbours)
    const { packageName, userEmail } = neighbour
    const roomId = random.pick(roomIds)
    if (random.chance(0.3)) {
      this.#quit(packageName, userEmail, roomId)
      return this.#hub.leaveRoom(neighbour, roomId)
    }
    const maxUsers = random.pick([1, 2, 100])
    this.#enter(packageName, userEmail, roomId, maxUsers)
    this.#hub.joinRoom(neighbour, roomId, { maxUsers, isPrivate: false }, () => {})
  }

  #neighbourSays(): void {
    const { random } = this.#world
    const neighbour = random.pick(this.#neighbours)
    const { packageName, userEmail, sessionId } = neighbour
    const about = { type: 'app_message_received', messageId: 'n', payload: 1, timestamp: '' } as const
    const message = { ...about, senderUserId: userEmail, senderSessionId: sessionId }
    const roomId = random.chance(0.6) ? random.pick(roomIds) : undefined
    const inRoom = (user: string) => roomId === undefined || this.#isIn(packageName, user, roomId)
    const hears = this.#world.appSockets.hearingSince(packageName) !== undefined
    const reached = hears && this.#hub.reaches(packageName, WEARER)
    this.#heard = []
    if (roomId !== undefined) this.#hub.toRoom(neighbour, roomId, { ...message, roomId }, () => {})
    else if (random.chance(0.5)) this.#hub.broadcast(neighbour, message, () => {})
    else this.#hub.direct(neighbour, WEARER, message, () => {})
    const expected = reached && inRoom(userEmail) && inRoom(WEARER) ? [packageName] : []
    assert.deepEqual(this.#heard, expected, 'a message reaches the app it is for, and no other')
    for (const other of this.#neighbours) other.messages = []
  }

  #roomOf(packageName: string, roomId: string): Room | undefined {
    return this.#rooms.get(`${packageName} ${roomId}`)
  }

  #isIn(packageName: string, userId: string, roomId: string): boolean {
    return this.#roomOf(packageName, roomId)?.users.has(userId) ?? false
  }

  /** @returns whether there is a place */
  #enter(packageName: string, userId: string, roomId: string, maxUsers: number): boolean {
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

  #quit(packageName: string, userId: string, roomId: string): void {
    const room = this.#roomOf(packageName, roomId)
    room?.users.delete(userId)
    if (room?.users.size === 0) this.#rooms.delete(`${packageName} ${roomId}`)
  }
}
