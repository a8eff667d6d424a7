import type { AppDefinition } from '../../session/index.ts'
import type { SessionUser } from '../../session-host/index.ts'
import { Ledger } from './ledger.ts'
import { SimApps } from './sim-apps.ts'
import { SimDatabase } from './sim-database.ts'
import { SimGlasses } from './sim-glasses.ts'
import { SimNode } from './sim-node.ts'
import { SimRedis } from './sim-redis.ts'
import type { SocketNode } from './sim-socket.ts'
import { World } from './world.ts'

const MIN_NODES = 2
const USERS = 2

/** Background apps, so that they may run beside each other. */
const PACKAGES = ['dev.example.one', 'dev.example.two']

/** A cluster, its clients, and the faults that happen to them. */
export class ClusterModel {
  readonly world: World
  readonly ledger: Ledger
  readonly redis: SimRedis
  readonly database: SimDatabase
  readonly apps: SimApps
  readonly users: readonly SessionUser[]
  readonly glasses: readonly SimGlasses[]
  readonly definitions: ReadonlyMap<string, AppDefinition>
  readonly packages: readonly string[] = PACKAGES
  readonly nodes: SimNode[] = []
  /** Whether the schedule has faults. */
  hasFaults = false
  /** Whether faults have ended. */
  isCalm = false
  readonly #isCluster: boolean
  /** When something last disturbed a node. */
  readonly #disturbedAt = new Map<SimNode, number>()
  #serial = 0
  /** When users or operators last did something that interrupts messages, even without faults. */
  changedAt = Number.NEGATIVE_INFINITY

  /** @param nodes random by default */
  constructor(seed: number, nodes?: number) {
    const world = new World(seed)
    this.world = world
    this.ledger = new Ledger(world)
    this.#isCluster = world.random.chance(0.2)
    this.redis = new SimRedis(world, this.#isCluster, () => this.disturb(...this.nodes))
    const { ledger } = this
    this.database = new SimDatabase(world, {
      committed: (process, id, epoch) => ledger.acted(id, epoch, `${this.#nameOf(process)} writes`),
      unfenced: (process) => ledger.fail(`${this.#nameOf(process)} writes without comparing the epoch`),
    })
    this.users = Array.from({ length: USERS }, (_, index) => ({
      id: `u${index}`,
      email: `u${index}@example.com`,
      tokensValidFrom: 0,
    }))
    this.definitions = new Map(PACKAGES.map((packageName) => [packageName, definitionOf(packageName)]))
    const pickNode = () => this.pickNode()
    this.apps = new SimApps({
      world,
      ledger,
      pickNode,
      isRefusing: () => this.hasFaults && !this.isCalm,
      isHealthySince: (node, ms) => this.#isHealthySince(node, ms),
    })
    this.glasses = this.users.map(
      (user) => new SimGlasses(user, { world, ledger, pickNode, hasFaults: () => this.hasFaults }),
    )
    const size = nodes ?? MIN_NODES + world.random.below(2)
    for (let index = 0; index < size; index += 1) this.nodes.push(this.#createNode())
  }

  /** Chooses the node of each socket and request, if a test does. */
  balance: (() => SimNode) | undefined

  /** Returns the node that the balancer chooses. It avoids frozen ones only sometimes. */
  pickNode(): SimNode | undefined {
    if (this.balance) return this.balance()
    const accepting = this.nodes.filter((node) => node.isAccepting)
    const working = accepting.filter(({ process }) => !process.isFrozen)
    const candidates = working.length === 0 || this.world.random.chance(0.2) ? accepting : working
    return candidates.length === 0 ? undefined : this.world.random.pick(candidates)
  }

  /** Records that a node may not do all that it promises at the moment. */
  disturb(...nodes: readonly SimNode[]): void {
    for (const node of nodes) this.#disturbedAt.set(node, this.world.now)
  }

  changed(): void {
    this.changedAt = this.world.now
  }

  /** Kills a node and starts another in its place. */
  replace(node: SimNode): void {
    node.process.die()
    this.startLater(node)
  }

  /** Starts a node in the place of another. */
  startLater(node: SimNode): void {
    const index = this.nodes.indexOf(node)
    this.world.after(500 + this.world.random.below(2_000), () => {
      this.nodes[index] = this.#createNode()
      this.world.note(`${this.nodes[index].id} starts`)
    })
  }

  /** Requests a start or a stop of an app at any node, as a phone does. */
  request(kind: 'start' | 'stop', { id: userId }: SessionUser, packageName: string): void {
    const { ledger, database, world } = this
    const node = this.pickNode()
    const app = this.definitions.get(packageName)
    if (!node || !app) return
    const wish = ledger.wish(userId, packageName)
    const overlaps = wish.pending > 0
    const serial = ++wish.requests
    wish.pending += 1
    if (kind === 'start') {
      wish.mayRun = true
      ledger.startRequested(userId, packageName)
    } else wish.mustRun = false
    const done = (isOk: boolean, how: string) => {
      wish.pending -= 1
      world.note(`${node.id} answers the ${kind} of ${packageName} by ${userId}: ${how}`)
      if (!isOk || overlaps || wish.requests !== serial) return
      ledger.assert(
        database.isRunning(userId, packageName) === (kind === 'start'),
        `an acknowledged ${kind} is stored`,
      )
      if (kind === 'start') wish.mustRun = true
      else wish.mayRun = false
    }
    node.process.whenAwake(() => {
      const run = async () => {
        const session = await node.directory.find(userId)
        if (!session) return 'no session'
        if (kind === 'stop') await session.stopApp(packageName)
        else {
          const outcome = await session.startApp(app)
          if (!outcome.ok) return outcome.code
        }
        return undefined
      }
      run().then(
        (problem) => done(problem === undefined, problem ?? 'ok'),
        (error: unknown) => done(false, (error as Error).message),
      )
    })
  }

  #createNode(): SimNode {
    this.#serial += 1
    const around = {
      ...this,
      hasFaults: () => this.hasFaults,
      isHealthySince: (one: SocketNode, ms: number) => this.#isHealthySince(one, ms),
    }
    const node = new SimNode(`n${this.#serial}`, around, this.#isCluster)
    this.disturb(node)
    return node
  }

  #isHealthySince({ id }: SocketNode, ms: number): boolean {
    const node = this.nodes.find((one) => one.id === id)
    if (!node) return false
    const { world, redis, database } = this
    const { process } = node
    const works =
      node.isAccepting &&
      !process.isFrozen &&
      redis.server.isReachable(process) &&
      database.server.isReachable(process)
    return works && world.now - (this.#disturbedAt.get(node) ?? 0) >= ms
  }

  #nameOf(process: SimNode['process']): string {
    return this.nodes.find((node) => node.process === process)?.id ?? 'a former node'
  }
}

function definitionOf(packageName: string): AppDefinition {
  return {
    id: packageName,
    packageName,
    name: packageName,
    appType: 'BACKGROUND',
    permissions: [],
    permittedSince: {},
    hardwareRequirements: [],
    publicUrl: 'https://app.test',
    settings: [],
    unreachableSince: null,
  }
}
