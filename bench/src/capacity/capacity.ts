import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { RedisServer } from '@glasses-cloud/cloud/test/redis-server'
import type { Scope } from '@glasses-cloud/cloud/test/scope'
import { readDatabaseUse } from '@glasses-cloud/cloud/testing-postgres'
import type { Benchmark } from '../figure.ts'
import { IdleClient } from '../support/idle-client.ts'
import { sendFrames } from '../support/load.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import {
  type CloudPairOptions,
  closePairs,
  connectBarePairs,
  connectCloudPairs,
  postJson,
  startAppServer,
} from '../support/pairs.ts'
import { RestClient } from '../support/rest-client.ts'
import { ServerProcess, signToken } from '../support/server-process.ts'
import { withScope } from '../support/tasks.ts'
import { type Action, type Cost, type Costs, formatTables, type Situation } from './model.ts'

const FRAME = Buffer.alloc(640, 7)
const PRESS = JSON.stringify({ type: 'button_press', buttonId: 'main', pressType: 'short' })
const PAIRS = 20
const FRAMES = 3_000
const PRESSES = 1_000
const REQUESTS = 1_000
const RESTARTS_PER_USER = 5
/** Sessions without an app that are opened, and sessions with one. */
const OPENED = 500
const SESSIONS = 1_000
const IDLE_MS = 5_000
const STREAMS = ['audio_chunk', 'button_press']

const COSTS_FILE = new URL('costs.json', import.meta.url)
const PAGE = new URL('../../../docs/capacity.md', import.meta.url)

/** A situation that was measured as a whole, to compare with what the model predicts for it. */
interface Point {
  readonly situation: Situation
  readonly measured: Cost
}

/** What `npm run bench -- capacity` measured. */
export interface Measurement {
  readonly command: string
  readonly measuredAt: string
  /** Load of the machine in the minute before the end, caused by the benchmark and others. */
  readonly loadAverage: number
  /** Processor time of bare `ws` for an audio frame in the same run, in µs. */
  readonly bareFrameMicros: number
  readonly costs: Costs
  readonly points: readonly Point[]
}

/** Measures the cost of each action on two nodes, and writes it into the data of the model and into its page. */
export const capacity: Benchmark = {
  title: 'what each action costs the nodes, PostgreSQL and Redis',
  run: () =>
    withScope(async (scope) => {
      const measurement = await measure(await Resources.start(scope))
      await writeFile(COSTS_FILE, `${JSON.stringify(measurement, null, 2)}\n`)
      const page = await readFile(PAGE, 'utf8')
      const [start, end] = ['<!-- measured -->\n', '<!-- /measured -->']
      const [before = '', after = ''] = [page.split(start)[0], page.split(end)[1]]
      await writeFile(PAGE, `${before}${start}${formatTables(measurement)}${end}${after}`)
      return [
        {
          name: 'audio frame',
          value: measurement.costs.actions.audioFrame.cpuMicros / measurement.bareFrameMicros,
          unit: '× bare ws',
          detail: 'bench/src/capacity/costs.json has all figures',
        },
      ]
    }),
}

async function measure(resources: Resources): Promise<Measurement> {
  const [owner, other] = resources.cluster.nodes
  if (!owner || !other) throw new Error('The nodes have not started')
  const appServer = await startAppServer(owner)
  let first = 0
  const connect = (count: number, options: Partial<CloudPairOptions>) => {
    first += count
    return connectCloudPairs(owner, count, { streams: STREAMS, appServer, first: first - count, ...options })
  }
  const local = await connect(PAIRS, { apps: owner })
  const across = await connect(PAIRS, { apps: other })
  const firstRestarted = first
  const restarted = await connect(PAIRS, { apps: owner })
  // The first messages compile the code.
  await sendFrames(local, FRAME, FRAMES)
  await sendFrames(across, FRAME, FRAMES)
  const idleOf = (cost: Cost, seconds: number) => scale(cost, 1 / seconds)
  const quiet = await resources.during(() => delay(IDLE_MS))
  const background = idleOf(quiet.cost, quiet.seconds)
  const net = async (count: number, task: () => Promise<unknown>) => {
    const { cost, seconds } = await resources.during(task)
    return scale(subtract(cost, scale(background, seconds)), 1 / count)
  }

  const audioFrame = await net(PAIRS * FRAMES, () => sendFrames(local, FRAME, FRAMES))
  const audioFrameRelayed = await net(PAIRS * FRAMES, () => sendFrames(across, FRAME, FRAMES))
  const buttonPress = await net(PAIRS * PRESSES, () => sendFrames(local, PRESS, PRESSES))
  const buttonPressRelayed = await net(PAIRS * PRESSES, () => sendFrames(across, PRESS, PRESSES))
  const client = new RestClient(owner.port, { token: signToken('user0@bench.example') })
  const listApps = await net(REQUESTS, () => client.load('/api/apps', REQUESTS))
  const writeSetting = await net(REQUESTS, () => writeSettings(owner.port))
  const restarts = async () => {
    for (let index = 0; index < PAIRS * RESTARTS_PER_USER; index += 1)
      await restartApp(owner.port, firstRestarted + (index % PAIRS))
  }
  // A restart is a stop and a start.
  const startApp = await net(PAIRS * RESTARTS_PER_USER, restarts)
  const idleClient = await IdleClient.start()
  const openSession = await net(OPENED, () => idleClient.open(owner, 'cloud', { count: OPENED }))

  const residentBefore = await owner.run({ command: 'resident-memory' })
  const more: Awaited<ReturnType<typeof connect>> = []
  more.push(...(await connect(SESSIONS, { apps: owner })))
  const sessionBytes = ((await owner.run({ command: 'resident-memory' })) - residentBefore) / SESSIONS
  const crowded = await resources.during(() => delay(IDLE_MS))
  const idleSession = atLeastZero(
    scale(subtract(idleOf(crowded.cost, crowded.seconds), background), 1 / (SESSIONS + OPENED)),
  )
  const idleNode = atLeastZero(
    scale(subtract(background, scale(idleSession, 3 * PAIRS)), 1 / resources.cluster.nodes.length),
  )
  const actions: Record<Action, Cost> = {
    openSession,
    startApp,
    audioFrame,
    audioFrameRelayed,
    buttonPress,
    buttonPressRelayed,
    listApps,
    writeSetting,
  }
  const costs: Costs = { actions, idleNode, idleSession, sessionBytes }

  const points: Point[] = []
  for (const [frames, presses, requests] of [
    [1_000, 200, 300],
    [3_000, 600, 900],
  ] as const) {
    const { cost, seconds } = await resources.during(async () => {
      await sendFrames(local, FRAME, frames)
      await sendFrames(across, FRAME, frames)
      await sendFrames(across, PRESS, presses)
      await client.load('/api/apps', requests)
    })
    const load = {
      audioFrame: PAIRS * frames,
      audioFrameRelayed: PAIRS * frames,
      buttonPressRelayed: PAIRS * presses,
      listApps: requests,
    }
    points.push({
      situation: { nodes: 2, sessions: 3 * PAIRS + OPENED + SESSIONS, seconds, load },
      measured: cost,
    })
  }
  client.close()
  idleClient.stop()
  for (const pairs of [local, across, restarted, more]) closePairs(pairs)
  appServer.close()
  const [loadAverage = 0] = loadavg()
  return {
    command: 'npm run bench -- capacity',
    measuredAt: new Date().toISOString(),
    loadAverage,
    bareFrameMicros: await measureBareFrame(),
    costs,
    points,
  }
}

async function measureBareFrame(): Promise<number> {
  const bare = await ServerProcess.start('bare')
  const pairs = await connectBarePairs(bare, PAIRS)
  const micros = await bare.cpuMicros(() => sendFrames(pairs, FRAME, FRAMES))
  closePairs(pairs)
  await bare.stop()
  return micros / (PAIRS * FRAMES)
}

async function writeSettings(port: number): Promise<void> {
  for (let index = 0; index < REQUESTS; index += 1)
    await postJson(port, 0, '/api/client/user/settings', { settings: { [`key-${index % 10}`]: index } })
}

async function restartApp(port: number, user: number): Promise<void> {
  await postJson(port, user, '/api/apps/bench.app/stop')
  await postJson(port, user, '/api/apps/bench.app/start')
}

function mapCost(cost: Cost, map: (value: number, key: keyof Cost) => number): Cost {
  const entries = Object.entries(cost).map(([key, value]) => [key, map(value, key as keyof Cost)])
  return Object.fromEntries(entries) as unknown as Cost
}

const scale = (cost: Cost, factor: number) => mapCost(cost, (value) => value * factor)
const subtract = (cost: Cost, other: Cost) => mapCost(cost, (value, key) => value - other[key])
const atLeastZero = (cost: Cost) => mapCost(cost, (value) => Math.max(0, value))

/** PostgreSQL counts what a connection did up to 10 s after it became idle; logs of apps are written seconds later, too. */
const SETTLE_MS = 12_000

/** Two nodes with a database and a Redis server of their own, and what all of them have used. */
class Resources {
  readonly cluster: NodeCluster
  readonly #redis: RedisServer

  private constructor(cluster: NodeCluster, redis: RedisServer) {
    this.cluster = cluster
    this.#redis = redis
  }

  static async start(scope: Scope): Promise<Resources> {
    const redis = await RedisServer.start(scope)
    const cluster = await NodeCluster.start(2, { REDIS_URL: redis.url })
    scope.after(() => cluster.stop())
    return new Resources(cluster, redis)
  }

  /** What was used while a task ran. @returns also its seconds, including the time to settle */
  async during(task: () => Promise<unknown>): Promise<{ readonly cost: Cost; readonly seconds: number }> {
    await delay(SETTLE_MS)
    const before = await this.#read()
    const startedAt = performance.now()
    await task()
    await delay(SETTLE_MS)
    const after = await this.#read()
    const seconds = (performance.now() - startedAt) / 1_000
    return { cost: subtract(after, before), seconds }
  }

  async #read(): Promise<Cost> {
    const { transactions, rowsWritten } = await readDatabaseUse(this.cluster.database)
    const info = await this.#redis.run((redis) => redis.info())
    const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
    return {
      cpuMicros: await this.cluster.cpuMicrosSoFar(),
      transactions,
      rowsWritten,
      redisCommands: field('total_commands_processed'),
      redisBytes: field('total_net_input_bytes') + field('total_net_output_bytes'),
    }
  }
}
