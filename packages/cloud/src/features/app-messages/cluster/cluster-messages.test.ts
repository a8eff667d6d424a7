import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { CloudToApp } from '@glasses-cloud/contract'
import { pino } from 'pino'
import { BusError, MemoryExchange, MessageBus } from '../../../bus/index.ts'
import type { Database } from '../../../db/index.ts'
import { eachDatabase } from '../../../db/testing.ts'
import type { AppMember, AppMessage, MessagingRejection } from '../../../session/index.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { AppMessageHub } from '../hub.ts'
import { ChannelOwnerStore } from './channel-owner-store.ts'
import { ClusterMessages } from './cluster-messages.ts'
import { channelCall } from './protocol.ts'

test('NODE-56: an operation on a channel in another form is rejected and does not reach its owner', async () => {
  const exchange = new MemoryExchange()
  const [owner, other] = [new MessageBus(exchange.connect()), new MessageBus(exchange.connect())]
  const received: string[] = []
  channelCall.handle(owner, ({ operation }) => {
    received.push(operation.kind)
    return undefined
  })
  const send = (request: unknown) => other.request(owner.nodeId, 'app-channel', request, 20_000)
  await send({ packageName: 'a', operation: { kind: 'leave', member: 'm' } })
  for (const unknown of [{ packageName: 'a', operation: { kind: 'dance' } }, { packageName: 'a' }, undefined])
    await assert.rejects(send(unknown), (error) => error instanceof BusError && error.code === 'UNSUPPORTED')
  assert.deepEqual(received, ['leave'])
})

const GAME = 'dev.example.game'

/** Nodes on one database and one bus. */
class Nodes {
  readonly clock = new VirtualClock()
  readonly #db: Database
  readonly #exchange = new MemoryExchange()

  constructor(db: Database) {
    this.#db = db
  }

  add(t: TestContext) {
    const bus = new MessageBus(this.#exchange.connect(), { clock: this.clock })
    const owners = new ChannelOwnerStore(this.#db)
    const log = pino({ level: 'silent' })
    const messages = new ClusterMessages({
      hub: new AppMessageHub(this.clock),
      bus,
      owners,
      clock: this.clock,
      log,
    })
    t.after(() => bus.close())
    return { bus, owners, messages, enter: (name: string) => new User(messages, name) }
  }
}

/** A member that records what it receives. */
class User implements AppMember {
  readonly packageName = GAME
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt = '2026-01-01T00:00:00.000Z'
  readonly received: CloudToApp[] = []
  isConnected = true
  readonly #messages: ClusterMessages

  constructor(messages: ClusterMessages, name: string) {
    this.#messages = messages
    this.userEmail = `${name}@example.com`
    this.sessionId = `${name}-${GAME}`
    messages.enter(this)
  }

  deliver({ content }: { readonly content: CloudToApp }): boolean {
    if (this.isConnected) this.received.push(content)
    return this.isConnected
  }

  leave(): void {
    this.#messages.leave(this)
  }

  broadcast(messageId: string): Promise<string> {
    return result((done) => this.#messages.broadcast(this, this.#message(messageId), done))
  }

  direct(userEmail: string, messageId = 'd'): Promise<string> {
    return result((done) => this.#messages.direct(this, userEmail, this.#message(messageId), done))
  }

  toRoom(roomId: string, messageId: string): Promise<string> {
    return result((done) => this.#messages.toRoom(this, roomId, this.#message(messageId), done))
  }

  join(roomId: string, options = {}): Promise<string> {
    return result((done) => this.#messages.joinRoom(this, roomId, options, done))
  }

  /** The ids of received messages, and the updates of rooms. */
  get news(): string[] {
    return this.received.splice(0).map((message) => {
      if (message.type === 'app_message_received') return message.messageId
      if (message.type === 'app_room_updated') return `${message.updateType} ${message.roomData.memberCount}`
      return message.type
    })
  }

  #message(messageId: string): AppMessage {
    const { userEmail: senderUserId, sessionId: senderSessionId } = this
    return {
      type: 'app_message_received',
      messageId,
      payload: null,
      senderUserId,
      senderSessionId,
      timestamp: this.joinedAt,
    }
  }
}

function result(run: (done: (rejection?: MessagingRejection) => void) => void): Promise<string> {
  return new Promise((resolve) => run((rejection) => resolve(rejection?.code ?? 'ok')))
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise(setImmediate)
}

describe('app messages between nodes', () => {
  eachDatabase(({ open }) => {
    test('SHARE-40: broadcasts, direct messages and the list of users span nodes', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two, three] = [nodes.add(t), nodes.add(t), nodes.add(t)]
      const [ann, bob, cid] = [one.enter('ann'), two.enter('bob'), two.enter('cid')]
      await until(async () => (await three.messages.usersOf(GAME)).length === 3)
      for (const { messages } of [one, two]) {
        const users = (await messages.usersOf(GAME)).map(({ userId }) => userId)
        assert.deepEqual(users.sort(), ['ann@example.com', 'bob@example.com', 'cid@example.com'])
      }
      for (const [index, sender] of [ann, bob, cid].entries())
        assert.equal(await sender.broadcast(`m${index}`), 'ok')
      await until(() => ann.received.length + bob.received.length + cid.received.length === 6)
      assert.deepEqual(
        [ann.news, bob.news, cid.news],
        [
          ['m1', 'm2'],
          ['m0', 'm2'],
          ['m0', 'm1'],
        ],
      )
      assert.equal(await ann.direct('BOB@example.com '), 'ok')
      assert.deepEqual(bob.news, ['d'])
      cid.isConnected = false
      assert.equal(await ann.direct('cid@example.com'), 'USER_NOT_REACHABLE')
      assert.equal(await ann.direct('dan@example.com'), 'USER_NOT_REACHABLE')
      bob.leave()
      await until(async () => (await three.messages.usersOf(GAME)).length === 2)
      assert.equal(await ann.direct('bob@example.com'), 'USER_NOT_REACHABLE')
    })

    test('SHARE-40: messages of one sender arrive in order', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two] = [nodes.add(t), nodes.add(t)]
      const [ann, bob] = [one.enter('ann'), two.enter('bob')]
      await until(async () => (await one.messages.usersOf(GAME)).length === 2)
      const ids = Array.from({ length: 200 }, (_, index) => `m${index}`)
      await Promise.all(
        ids.map((id, index) => (index % 2 ? bob.broadcast(id) : bob.direct('ann@example.com', id))),
      )
      await until(() => ann.received.length === ids.length)
      assert.deepEqual(ann.news, ids)
    })

    test('SHARE-40: a user who enters while the owner is being found for one who left is reachable', async (t) => {
      const nodes = new Nodes(await open(t))
      const one = nodes.add(t)
      one.enter('ann').leave()
      const bob = one.enter('bob')
      await until(async () => (await one.messages.usersOf(GAME)).length === 1)
      const cid = one.enter('cid')
      await until(async () => (await one.messages.usersOf(GAME)).length === 2)
      assert.deepEqual(
        [await bob.direct('cid@example.com'), await cid.direct('bob@example.com')],
        ['ok', 'ok'],
      )
      bob.leave()
      cid.leave()
      await until(async () => (await one.owners.find(GAME)) === undefined)
    })

    test('SHARE-41: the limits and notifications of a room apply to the members of all nodes', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two, three] = [nodes.add(t), nodes.add(t), nodes.add(t)]
      const [ann, bob, cid] = [one.enter('ann'), two.enter('bob'), three.enter('cid')]
      assert.equal(await ann.join('r', { maxUsers: 2 }), 'ok')
      const [bobJoins, cidJoins] = await Promise.all([bob.join('r'), cid.join('r')])
      assert.deepEqual([bobJoins, cidJoins].sort(), ['ROOM_FULL', 'ok'])
      const [inside, outside] = bobJoins === 'ok' ? [bob, cid] : [cid, bob]
      await until(() => inside.received.length === 1 && ann.received.length === 3)
      assert.deepEqual(ann.news, ['user_joined 1', 'app_user_joined', 'user_joined 2'])
      assert.deepEqual(inside.news, ['user_joined 2'])
      assert.equal(await inside.toRoom('r', 'm1'), 'ok')
      assert.equal(await outside.toRoom('r', 'm2'), 'NOT_IN_ROOM')
      await until(() => ann.received.length === 1)
      assert.deepEqual(ann.news, ['m1'])
      inside.leave()
      await until(() => ann.received.length === 2)
      assert.deepEqual(ann.news, ['app_user_left', 'user_left 1'])
      assert.deepEqual(outside.news, [])
    })

    test('SHARE-42: a lost member node and a lost owner', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two, three] = [nodes.add(t), nodes.add(t), nodes.add(t)]
      const ann = one.enter('ann')
      await until(async () => (await one.messages.usersOf(GAME)).length === 1)
      const [bob, cid] = [two.enter('bob'), three.enter('cid')]
      await until(async () => (await one.messages.usersOf(GAME)).length === 3)
      for (const user of [ann, bob, cid]) assert.equal(await user.join('r'), 'ok')
      await until(() => ann.received.length === 5)
      ann.received.length = 0
      await three.bus.close()
      for (const { bus } of [one, two]) bus.dropNode(three.bus.nodeId)
      await until(() => ann.received.length === 2)
      assert.deepEqual(ann.news, ['app_user_left', 'user_left 2'])
      await until(() => bob.received.at(-1)?.type === 'app_room_updated')
      bob.received.length = 0
      // The owner dies.
      await one.bus.close()
      two.bus.dropNode(one.bus.nodeId)
      assert.deepEqual(bob.news, ['room_closed 0'])
      assert.equal(await bob.join('r'), 'ok')
      const dan = two.enter('dan')
      assert.equal(await dan.broadcast('m'), 'ok')
      await until(() => bob.received.length === 2)
      assert.deepEqual(bob.news, ['user_joined 1', 'm'])
      assert.equal(await two.owners.find(GAME), two.bus.nodeId)
    })

    test('SHARE-42: an owner that did not respond for a while gives up what another node took over', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two] = [nodes.add(t), nodes.add(t)]
      const ann = one.enter('ann')
      await until(async () => (await one.messages.usersOf(GAME)).length === 1)
      assert.equal(await ann.join('r'), 'ok')
      await two.owners.claim(GAME, two.bus.nodeId, one.bus.nodeId)
      const bob = two.enter('bob')
      await until(async () => (await two.messages.usersOf(GAME)).length === 1)
      nodes.clock.advance(5_000)
      await until(async () => (await two.messages.usersOf(GAME)).length === 2)
      assert.deepEqual(ann.news, ['user_joined 1', 'room_closed 0'])
      assert.equal(await ann.direct('bob@example.com'), 'ok')
      assert.deepEqual(bob.news, ['d'])
    })

    test('SHARE-42: a channel without members has no owner', async (t) => {
      const nodes = new Nodes(await open(t))
      const [one, two] = [nodes.add(t), nodes.add(t)]
      const ann = one.enter('ann')
      await until(async () => (await one.messages.usersOf(GAME)).length === 1)
      const bob = two.enter('bob')
      await until(async () => (await one.messages.usersOf(GAME)).length === 2)
      ann.leave()
      assert.equal(await two.owners.find(GAME), one.bus.nodeId)
      bob.leave()
      await until(async () => (await two.owners.find(GAME)) === undefined)
      const cid = two.enter('cid')
      await until(async () => (await two.owners.find(GAME)) === two.bus.nodeId)
      cid.leave()
    })
  })
})
