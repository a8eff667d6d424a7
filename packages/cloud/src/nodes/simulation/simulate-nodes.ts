import assert from 'node:assert/strict'
import { ClusterModel } from './cluster-model.ts'
import type { SimNode } from './sim-node.ts'
import { FAST_MS } from './sim-server.ts'

let next: Promise<void> | undefined

/**
 * Resolves in the next turn of the event loop, when all promises that can be settled are. Schedules that run side by
 * side share the turns.
 */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) =>
    setImmediate(() => {
      next = undefined
      resolve()
    }),
  )
  return next
}

/** Time after the last fault within which everything works again. */
const RECOVERY_MS = 18_000
const SLOW_MS = 800

/** Time within which a message arrives at an app while nothing changes. */
const SETTLED_MS = 400

type Step = readonly [weight: number, name: string, run: (model: ClusterModel, node: SimNode) => void]

/** What users and operators do. */
const ORDINARY: readonly Step[] = [
  [5, 'glasses on', (model) => model.world.random.pick(model.glasses).switchOn()],
  [1, 'glasses off', switchOff],
  [5, 'a start', (model) => request(model, 'start')],
  [2, 'a stop', (model) => request(model, 'stop')],
  [8, 'press', press],
  [1, 'a node is replaced', drain],
]

/** What disturbs one node. */
const NODE_FAULTS: readonly Step[] = [
  [1, 'is isolated', isolate],
  [2, 'freezes', (_, { process }) => process.freeze()],
  [3, 'continues', (_, { process }) => process.thaw()],
  [2, 'is killed', kill],
  [1, 'loses Redis', ({ redis }, { process }) => redis.cut(process)],
  [2, 'reaches Redis', ({ redis }, { process }) => redis.heal(process)],
  [1, 'is reset by Redis', ({ redis }, { process }) => redis.reset(process)],
  [1, 'loses the database', ({ database }, { process }) => void database.server.cut.add(process)],
  [2, 'reaches the database', ({ database }, { process }) => void database.server.cut.delete(process)],
  [1, 'has its wall clock set', jumpClock],
]

/** What disturbs clients, or all nodes. */
const SHARED_FAULTS: readonly Step[] = [
  [1, 'glasses lose their connection', (model) => model.world.random.pick(model.glasses).loseConnection()],
  [1, 'an app loses its connection', loseApp],
  [0.5, 'Redis stops', ({ redis }) => redis.stop()],
  [2, 'Redis starts', ({ redis }) => redis.startAgain()],
  [0.5, 'Redis loses its data', ({ redis }) => redis.empty()],
  [1, 'Redis loses a message', ({ redis }) => redis.loseNext()],
  [1, 'Redis repeats a message', ({ redis }) => redis.repeatNext()],
  [0.5, 'the database stops', ({ database }) => database.server.stop()],
  [2, 'the database starts', ({ database }) => database.server.startAgain()],
  [0.5, 'the network is slow', (model) => setDelay(model, SLOW_MS)],
  [2, 'the network is fast', (model) => setDelay(model, FAST_MS)],
]

/**
 * Runs one schedule of requests and, in most schedules, faults; then a period without faults, after which everything
 * must work.
 * @param seed the same seed produces the same run
 * @returns what happened
 * @throws Error with the seed, the violated invariant and the last steps
 */
export async function simulateNodes(seed: number): Promise<readonly string[]> {
  const model = new ClusterModel(seed)
  const { world } = model
  try {
    await new Run(model).run()
    return world.trace
  } catch (error) {
    const { message } = error as Error
    throw new Error(`seed ${seed}: ${message}\n${world.trace.slice(-40).join('\n')}`, { cause: error })
  }
}

class Run {
  readonly #model: ClusterModel

  constructor(model: ClusterModel) {
    this.#model = model
  }

  async run(): Promise<void> {
    const model = this.#model
    const { world } = model
    const { random } = world
    model.hasFaults = random.chance(0.85)
    const steps = model.hasFaults ? [...ORDINARY, ...NODE_FAULTS, ...SHARED_FAULTS] : ORDINARY
    for (const glasses of model.glasses) if (random.chance(0.8)) glasses.switchOn()
    await this.#advance(150)
    if (random.chance(0.7)) {
      request(model, 'start')
      request(model, 'start')
      await this.#advance(200)
    }
    const length = 4 + random.below(11)
    for (let count = 0; count < length; count += 1) {
      const step = pickStep(steps, random.next)
      const node = random.pick(model.nodes)
      const [, name, run] = step
      world.note(NODE_FAULTS.includes(step) ? `${node.id} ${name}` : name)
      run(model, node)
      if (NODE_FAULTS.includes(step)) model.disturb(node)
      else if (SHARED_FAULTS.includes(step)) model.disturb(...model.nodes)
      await this.#advance(random.chance(0.25) ? random.below(4_000) : random.below(300))
    }
    world.note('faults stop')
    this.#stopFaults()
    // Longer than it takes to send a message that shows whether the last one was lost.
    await this.#recover(1_200)
    // If only that message was lost, the next one shows it.
    for (const glasses of model.glasses) glasses.press()
    await this.#recover(300)
    await this.#probe()
  }

  #stopFaults(): void {
    const model = this.#model
    const { redis, database, nodes } = model
    model.isCalm = true
    model.disturb(...nodes)
    redis.startAgain()
    redis.deliverAll()
    database.server.startAgain()
    setDelay(model, FAST_MS)
    for (const node of nodes) {
      redis.heal(node.process)
      database.server.cut.delete(node.process)
      node.process.thaw()
    }
    for (const glasses of model.glasses) glasses.switchOn()
  }

  async #recover(atLeastMs: number): Promise<void> {
    const { world } = this.#model
    const deadline = world.now + RECOVERY_MS
    await this.#advance(atLeastMs)
    while (this.#problem() !== undefined && world.now < deadline) await this.#advance(500)
    const problem = this.#problem()
    assert(problem === undefined, `after the faults: ${problem}`)
  }

  /** Events reach each running app once. */
  async #probe(): Promise<void> {
    const { glasses, ledger, apps, world } = this.#model
    const running = apps.runs.filter(({ isConnected }) => isConnected)
    const presses = new Map(glasses.map((one) => [one.user.id, one.press()]))
    world.note('probe')
    await this.#advance(200)
    for (const { userId, packageName, nodeId } of running) {
      const eventId = presses.get(userId)
      assert(
        eventId !== undefined && ledger.hasReceived(userId, packageName, eventId),
        `${packageName} on ${nodeId} receives the events of ${userId} on ${this.#model.glasses.find((one) => one.user.id === userId)?.nodeId} after the faults; owner ${this.#model.nodes.find((one) => one.hostedEpoch(userId))?.id}`,
      )
    }
  }

  /** Returns what does not work yet. */
  #problem(): string | undefined {
    const { glasses, nodes, database, ledger, apps, packages } = this.#model
    if (nodes.some((node) => !node.isAccepting)) return 'a node is not accepting'
    for (const { user, sessionId } of glasses) {
      if (sessionId === undefined) return `the glasses of ${user.id} are not connected`
      const owners = nodes.filter((node) => node.hostedEpoch(user.id) !== undefined)
      const [owner] = owners
      if (owners.length !== 1 || !owner) return `${owners.length} nodes host the session of ${user.id}`
      const place = database.sessionOf(user.id)
      if (place?.userSessionId !== sessionId) return `the glasses of ${user.id} are in another session`
      if (place.owner !== owner.lease.holder || place.epoch !== owner.hostedEpoch(user.id))
        return `${owner.id} hosts the session of ${user.id}, but does not own it`
      const [hosted] = owner.sessions.hostedFor([user.id])
      const { activeApps = [], loadingApps = [] } = hosted?.session.appState ?? {}
      if (loadingApps.length > 0) return `${loadingApps} of ${user.id} are starting`
      for (const packageName of packages) {
        const wish = ledger.wish(user.id, packageName)
        const name = `${packageName} of ${user.id}`
        const isActive = activeApps.includes(packageName)
        const isConnected = apps.find(`${sessionId}-${packageName}`)?.isConnected === true
        if (wish.mustRun && !isActive) return `${name} does not run`
        if (isActive && !wish.mayRun) return `${name} runs, but nobody started it`
        if (isActive !== isConnected) return `${name}: active ${isActive}, connected ${isConnected}`
        const isStored = database.isRunning(user.id, packageName)
        // A stop that could not be stored was not acknowledged.
        if (isStored ? !isActive && !wish.mayRun : isActive)
          return `${name}: active ${isActive}, stored ${isStored}`
      }
    }
    return undefined
  }

  async #advance(ms: number): Promise<void> {
    const { world, ledger } = this.#model
    const end = world.now + ms
    while (world.runNext(end)) {
      await nextTurn()
      ledger.check()
    }
    ledger.check()
  }
}

function request(model: ClusterModel, kind: 'start' | 'stop'): void {
  const { random } = model.world
  const user = random.pick(model.users)
  const packageName = random.pick(model.packages)
  model.world.note(`${kind} ${packageName} by ${user.id}`)
  if (kind === 'stop') model.changed()
  model.request(kind, user, packageName)
}

/** Presses a button. Without faults, each app that is connected must receive it. */
function press(model: ClusterModel): void {
  const { world, apps, ledger } = model
  const glasses = world.random.pick(model.glasses)
  const eventId = glasses.press()
  if (eventId === undefined || model.hasFaults) return
  const { id: userId } = glasses.user
  const pressedAt = world.now
  const connected = apps.runs.filter((run) => run.userId === userId && run.isConnectedSince(SETTLED_MS))
  world.after(SETTLED_MS, () => {
    const isRestarting = model.nodes.some(({ isAccepting }) => !isAccepting)
    if (isRestarting || model.changedAt > pressedAt - SETTLED_MS) return
    for (const { packageName } of connected)
      ledger.assert(
        ledger.hasReceived(userId, packageName, eventId),
        `${packageName} receives ${eventId} of ${userId} without faults`,
      )
  })
}

function switchOff(model: ClusterModel): void {
  model.changed()
  model.world.random.pick(model.glasses).switchOff()
}

/** The node reaches neither Redis nor the database, but its sockets are open. */
function isolate({ redis, database }: ClusterModel, { process }: SimNode): void {
  redis.cut(process)
  database.server.cut.add(process)
}

function drain(model: ClusterModel, node: SimNode): void {
  if (!node.isAccepting || node.process.isFrozen) return
  // Like a rolling restart: one after another.
  if (model.nodes.some((other) => !other.isAccepting)) return
  model.disturb(node)
  model.changed()
  node.drain(model.world.random.below(2_000)).then(
    () => {
      model.changed()
      model.startLater(node)
    },
    (error: unknown) => model.ledger.fail(`the drain failed: ${(error as Error).stack}`),
  )
}

function kill(model: ClusterModel, node: SimNode): void {
  if (node.isAccepting) model.replace(node)
}

function loseApp({ apps, world }: ClusterModel): void {
  const { runs } = apps
  if (runs.length > 0) world.random.pick(runs).loseConnection()
}

function setDelay({ redis, database }: ClusterModel, ms: number): void {
  redis.server.maxDelayMs = ms
  database.server.maxDelayMs = ms
}

function jumpClock({ world }: ClusterModel, { process }: SimNode): void {
  process.jumpWallClock((world.random.next() - 0.5) * 20 * 60_000)
}

function pickStep(steps: readonly Step[], next: () => number): Step {
  let left = next() * steps.reduce((sum, [weight]) => sum + weight, 0)
  for (const step of steps) {
    left -= step[0]
    if (left < 0) return step
  }
  throw new Error('the weights must add up')
}
