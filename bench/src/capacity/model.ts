import { formatNumber } from '../figure.ts'
import type { Measurement } from './capacity.ts'

/** What one action uses, on all nodes together, in PostgreSQL and in Redis. */
export interface Cost {
  /** Processor time of the nodes, in µs. */
  readonly cpuMicros: number
  readonly transactions: number
  readonly rowsWritten: number
  readonly redisCommands: number
  /** Bytes that Redis receives and sends. */
  readonly redisBytes: number
}

/** The actions whose costs are measured. `Relayed`: the app's socket is not on the node that owns the session. */
export const ACTIONS = [
  'openSession',
  'startApp',
  'audioFrame',
  'audioFrameRelayed',
  'buttonPress',
  'buttonPressRelayed',
  'listApps',
  'writeSetting',
] as const

export type Action = (typeof ACTIONS)[number]

/** Actions, by how often they happen. */
type Load = Readonly<Partial<Record<Action, number>>>

/** The measured costs. */
export interface Costs {
  readonly actions: Readonly<Record<Action, Cost>>
  /** What a node does without sessions, per second. */
  readonly idleNode: Cost
  /** What a session with one app adds while nothing happens, per second. */
  readonly idleSession: Cost
  /** Resident memory of a session with one app, in bytes. */
  readonly sessionBytes: number
}

const NOTHING: Cost = { cpuMicros: 0, transactions: 0, rowsWritten: 0, redisCommands: 0, redisBytes: 0 }

const KEYS = Object.keys(NOTHING) as (keyof Cost)[]

function addTimes(sum: Cost, cost: Cost, times: number): Cost {
  const added = KEYS.map((key) => [key, sum[key] + cost[key] * times])
  return Object.fromEntries(added) as unknown as Cost
}

/** What is on the nodes during a number of seconds. */
export interface Situation {
  readonly nodes: number
  readonly sessions: number
  readonly seconds: number
  /** Actions during that time. */
  readonly load: Load
}

/** Predicts what a situation uses. */
export function predict(costs: Costs, { nodes, sessions, seconds, load }: Situation): Cost {
  let sum = addTimes(NOTHING, costs.idleNode, nodes * seconds)
  sum = addTimes(sum, costs.idleSession, sessions * seconds)
  for (const action of ACTIONS) sum = addTimes(sum, costs.actions[action], load[action] ?? 0)
  return sum
}

/** How wearers use a cloud. */
interface Habits {
  /** Share of the connected wearers whose app listens to the microphone at a moment. */
  readonly speaking: number
  /** Share of the apps whose socket is not on the node of their session. */
  readonly relayed: number
  /** Button presses and other events of the glasses a second, of each wearer. */
  readonly eventsPerSecond: number
  /** Requests that read, a second. */
  readonly readsPerSecond: number
  /** Requests that write a row, a second. */
  readonly writesPerSecond: number
  /** Duration of a session, in seconds. */
  readonly sessionSeconds: number
  /** Starts of apps in a session. */
  readonly startsPerSession: number
}

/** A wearer an hour long, a tenth of all speaking, apps mostly at their node (affinity and `APP_SOCKET_URL`). */
export const USUAL: Habits = {
  speaking: 0.1,
  relayed: 0.1,
  eventsPerSecond: 0.1,
  readsPerSecond: 1 / 60,
  writesPerSecond: 1 / 600,
  sessionSeconds: 3_600,
  startsPerSession: 5,
}

const FRAMES_PER_SECOND = 50
/** Bytes of a frame of PCM. */
const FRAME_BYTES = 640
/** The share of a core that a node uses, so that delays stay short. */
const BUSY = 0.6
/** A node keeps one core busy. */
const MICROS_PER_NODE = 1_000_000 * BUSY
/** Nodes that may be lost at a time, as a share; at least one. */
const SPARE = 0.1

/** What a number of connected wearers need. */
interface Needs {
  readonly nodes: number
  readonly sessionGigabytes: number
  readonly transactionsPerSecond: number
  readonly rowsPerSecond: number
  readonly redisCommandsPerSecond: number
  readonly redisMegabitsPerSecond: number
  /** Audio from glasses; as much leaves to the apps. */
  readonly audioMegabitsPerSecond: number
}

/** Computes what connected wearers need. */
export function needs(costs: Costs, wearers: number, habits: Habits = USUAL): Needs {
  const frames = wearers * habits.speaking * FRAMES_PER_SECOND
  const events = wearers * habits.eventsPerSecond
  const sessionsPerSecond = wearers / habits.sessionSeconds
  const load: Load = {
    openSession: sessionsPerSecond,
    startApp: sessionsPerSecond * habits.startsPerSession,
    audioFrame: frames * (1 - habits.relayed),
    audioFrameRelayed: frames * habits.relayed,
    buttonPress: events * (1 - habits.relayed),
    buttonPressRelayed: events * habits.relayed,
    listApps: wearers * habits.readsPerSecond,
    writeSetting: wearers * habits.writesPerSecond,
  }
  const ofWearers = predict(costs, { nodes: 0, sessions: wearers, seconds: 1, load })
  const busy = Math.max(1, Math.ceil(ofWearers.cpuMicros / (MICROS_PER_NODE - costs.idleNode.cpuMicros)))
  const nodes = busy + Math.max(1, Math.ceil(busy * SPARE))
  const all = predict(costs, { nodes, sessions: wearers, seconds: 1, load })
  return {
    nodes,
    sessionGigabytes: (wearers * costs.sessionBytes) / 1e9,
    transactionsPerSecond: all.transactions,
    rowsPerSecond: all.rowsWritten,
    redisCommandsPerSecond: all.redisCommands,
    redisMegabitsPerSecond: (all.redisBytes * 8) / 1e6,
    audioMegabitsPerSecond: (frames * FRAME_BYTES * 8) / 1e6,
  }
}

const WEARERS = [10_000, 100_000, 1_000_000]

const ACTION_NAMES = {
  openSession: 'open a session (glasses connect)',
  startApp: 'stop and start an app',
  audioFrame: 'audio frame to an app',
  audioFrameRelayed: 'the same, app on another node',
  buttonPress: 'button press to an app',
  buttonPressRelayed: 'the same, app on another node',
  listApps: '`GET /api/apps`',
  writeSetting: '`POST /api/client/user/settings`',
} as const

/** Formats a measurement, and what follows from it, as tables for `docs/capacity.md`. */
export function formatTables(measurement: Measurement): string {
  const { costs, points, measuredAt, loadAverage, bareFrameMicros } = measurement
  const row = (name: string, { cpuMicros, transactions, rowsWritten, redisCommands, redisBytes }: Cost) =>
    line(name, formatNumber(cpuMicros), ...[transactions, rowsWritten, redisCommands, redisBytes].map(round))
  const needed = WEARERS.map((wearers) => needs(costs, wearers))
  const need = (name: string, key: keyof (typeof needed)[number]) =>
    line(name, ...needed.map((one) => Math.ceil(one[key]).toLocaleString('en-US')))
  return `
Measured ${measuredAt.slice(0, 10)} at a load average of ${formatNumber(loadAverage)}. An audio frame costs ${formatNumber(costs.actions.audioFrame.cpuMicros / bareFrameMicros)} times
as much processor time as with bare \`ws\` in the same run (${formatNumber(bareFrameMicros)} µs).

| Action | Processor, µs | Transactions | Rows written | Redis commands | Redis bytes |
|---|---|---|---|---|---|
${ACTIONS.map((action) => row(ACTION_NAMES[action], costs.actions[action])).join('\n')}
${row('a node, each second', costs.idleNode)}
${row('a silent session with an app, each second', costs.idleSession)}

Memory of a session with one app: ${formatNumber(costs.sessionBytes / 1_024)} KB resident.

| Point | Sessions | Processor, ms: measured, predicted | Redis commands | Redis KB |
|---|---|---|---|---|
${points
  .map(({ situation, measured }, index) => {
    const predicted = predict(costs, situation)
    const both = (key: keyof Cost, unit: number) =>
      `${Math.round(measured[key] / unit)}, ${Math.round(predicted[key] / unit)}`
    return line(
      String(index + 1),
      String(situation.sessions),
      both('cpuMicros', 1_000),
      both('redisCommands', 1),
      both('redisBytes', 1_000),
    )
  })
  .join('\n')}

| Connected wearers | ${WEARERS.map((wearers) => wearers.toLocaleString('en-US')).join(' | ')} |
|---|---|---|---|
${need('nodes of one core', 'nodes')}
${need('memory of the sessions, GB', 'sessionGigabytes')}
${need('PostgreSQL transactions a second', 'transactionsPerSecond')}
${need('rows written a second', 'rowsPerSecond')}
${need('Redis commands a second', 'redisCommandsPerSecond')}
${need('Redis, Mbit/s', 'redisMegabitsPerSecond')}
${need('audio from glasses, Mbit/s; as much to the apps', 'audioMegabitsPerSecond')}

`
}

const line = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Counts, which may be fractions: batches carry several messages. */
const round = (value: number) => String(Number(formatNumber(Math.max(0, value))))
