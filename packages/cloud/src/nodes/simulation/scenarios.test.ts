import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClusterModel } from './cluster-model.ts'
import type { SimNode } from './sim-node.ts'
import { nextTurn } from './simulate-nodes.ts'

const [FIRST_APP = ''] = new ClusterModel(0).packages

/** Time within which glasses and apps are back after a disturbance without a take-over: their delay and a few messages. */
const RECONNECT_MS = 1_500

/** A cluster in which the test chooses the nodes of sockets and requests. */
async function rig(seed = 1) {
  const model = new ClusterModel(seed, 3)
  model.hasFaults = true
  model.isCalm = true
  const [one, two, three] = model.nodes
  const [glasses] = model.glasses
  assert(one && two && three && glasses)
  const { world, ledger, apps } = model
  const advance = async (ms: number) => {
    const end = world.now + ms
    while (world.runNext(end)) {
      await nextTurn()
      ledger.check()
    }
  }
  const { user } = glasses
  const app = () => apps.runs.find((run) => run.userId === user.id && run.packageName === FIRST_APP)
  /** Connects the glasses to one node and their app to another, and starts the app. */
  const connect = async (glassesNode: SimNode, appNode: SimNode) => {
    model.balance = () => glassesNode
    glasses.switchOn()
    await advance(200)
    model.balance = () => appNode
    model.request('start', user, FIRST_APP)
    await advance(500)
    assert.equal(app()?.isConnected, true, 'the app is connected')
  }
  /** Returns whether the app receives a press of the button. */
  const isDelivered = async () => {
    const eventId = glasses.press()
    await advance(300)
    return eventId !== undefined && ledger.hasReceived(user.id, FIRST_APP, eventId)
  }
  await advance(1_000)
  return { model, one, two, three, glasses, user, app, advance, connect, isDelivered }
}

test('NODE-30: whenever the owner dies, the glasses are acknowledged again within 5 s', async () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { model, one, two, glasses, advance, connect } = await rig(seed)
    await connect(one, two)
    await advance(model.world.random.below(2_000))
    model.balance = () => two
    one.process.die()
    await advance(100)
    assert.equal(glasses.sessionId, undefined)
    await advance(4_900)
    assert.ok(glasses.sessionId, `seed ${seed}: the glasses are not acknowledged`)
    assert.equal(two.hostedEpoch(glasses.user.id), 2)
  }
})

test('sockets of sessions on a node that lost its connection to Redis for a moment reconnect', async () => {
  const { model, one, two, app, advance, connect, isDelivered } = await rig()
  await connect(one, two)
  assert.equal(await isDelivered(), true)
  model.redis.reset(one.process)
  await advance(RECONNECT_MS)
  assert.equal(app()?.isConnected, true)
  assert.equal(await isDelivered(), true)
})

test('after the loss of the last message the sockets between the two nodes reconnect', async () => {
  const { model, one, two, app, advance, connect, isDelivered } = await rig()
  await connect(one, two)
  await advance(3_000)
  model.redis.loseNext()
  assert.equal(await isDelivered(), false)
  await advance(1_000 + RECONNECT_MS)
  assert.equal(app()?.isConnected, true)
  assert.equal(await isDelivered(), true)
})

test('a node that was frozen longer than its lease serves sockets of others at once when it continues', async () => {
  const { model, one, two, three, user, app, advance, connect, isDelivered } = await rig()
  await connect(one, two)
  one.process.freeze()
  model.balance = () => three
  await advance(8_000)
  assert.equal(three.hostedEpoch(user.id), 2)
  one.process.thaw()
  await advance(RECONNECT_MS)
  // Now the app reconnects over the node that was frozen.
  model.balance = () => one
  app()?.loseConnection()
  await advance(RECONNECT_MS)
  assert.equal(app()?.isConnected, true)
  assert.equal(await isDelivered(), true)
})

test('a session whose end could not be stored is opened on another node at once', async () => {
  const { model, one, two, glasses, user, advance, connect } = await rig()
  await connect(one, two)
  glasses.switchOff()
  await advance(4_500)
  model.database.server.stop()
  await advance(3_000)
  model.database.server.startAgain()
  assert.equal(one.hostedEpoch(user.id), undefined)
  assert.equal(model.database.sessionOf(user.id)?.owner, one.lease.holder)
  model.balance = () => two
  glasses.switchOn()
  await advance(RECONNECT_MS)
  assert.ok(glasses.sessionId)
  assert.equal(two.hostedEpoch(user.id), 2)
})

test('NODE-29: an app that names a session that has ended is rejected, though the user has another one', async () => {
  const { model, one, two, glasses, user, advance } = await rig()
  model.balance = () => one
  glasses.switchOn()
  await advance(500)
  model.balance = () => two
  const place = model.database.sessionOf(user.id)
  assert(place)
  // As it was read when the user had an earlier session.
  model.database.staleUsers.set('earlier', user.id)
  const run = model.apps.open(user.id, FIRST_APP, `earlier-${FIRST_APP}`)
  await advance(500)
  assert.deepEqual([run.isConnected, run.isEnded], [false, true])
})
