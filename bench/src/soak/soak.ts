import { setTimeout as delay } from 'node:timers/promises'
import { makeNextVersion, type Release } from '@glasses-cloud/cloud/test/next-version'
import { CleanUpStack, type Scope } from '@glasses-cloud/cloud/test/scope'
import { AppServer } from '../support/app-server.ts'
import { mapConcurrently, withScope } from '../support/tasks.ts'
import { type Fault, faultsOf } from './faults.ts'
import { type ProcessLife, ResourceSamples } from './memory.ts'
import {
  type Incident,
  Latencies,
  type LatencySummary,
  StallWatch,
  Timeline,
  WriteLedger,
} from './records.ts'
import { CURRENT, SoakCloud } from './soak-cloud.ts'
import { SOAK_PACKAGE, SoakUser, type SoakUserDeps } from './soak-user.ts'

export interface SoakOptions {
  readonly durationMs: number
  readonly sessions: number
  /** One node on SQLite, or several on PostgreSQL and Redis, with faults of these. */
  readonly nodes: number
  /** Seed of the random choices. */
  readonly seed?: number
  /** Time between the end of a fault and the next one; by default there are 40 faults, at least 25 s apart. */
  readonly faultEveryMs?: number
  /** Called with a line of progress. */
  readonly onProgress?: (line: string) => void
}

/** Acknowledged writes that a cloud does not have. */
export interface LostWrites {
  /** Where they were looked for. */
  readonly place: string
  readonly keys: readonly string[]
}

/** How much was stored: after a quarter of the time, and at the end; the largest first. */
export interface Growth {
  readonly name: string
  readonly early: number
  readonly late: number
}

export interface SoakReport {
  readonly seed: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly sessions: number
  readonly nodes: number
  /** Number of actions by name. */
  readonly actions: Readonly<Record<string, number>>
  readonly pressesReceived: number
  readonly acknowledgedWrites: number
  readonly lost: readonly LostWrites[]
  /** Errors in the logs, responses with status 500, and failures in calm times. */
  readonly findings: readonly string[]
  readonly incidents: readonly Incident[]
  readonly scheduledBackups: number
  readonly calm: readonly LatencySummary[]
  readonly disturbed: readonly LatencySummary[]
  readonly lives: readonly ProcessLife[]
  readonly growth: readonly Growth[]
  readonly passed: boolean
}

const CONNECT_CONCURRENCY = 10
const MIN_SAMPLE_INTERVAL_MS = 500
const SAMPLES = 240
const PROGRESS_LINES = 40
const MAX_FINDINGS = 200
/** Shares of the time: when the version is replaced, and how often something fails. */
const UPGRADE_AT = 0.45
const FAULTS = 40
/** The shortest time from the end of one fault to the next one. */
const MIN_FAULT_INTERVAL_MS = 25_000
/** The shortest interval of `BACKUP_EVERY`. */
const BACKUP_EVERY = '10m'

/**
 * Runs mixed traffic with slow readers, hostile messages, faults of everything that the cloud depends on, scheduled backups, and
 * an upgrade and its undoing in between. Then kills the cloud, restarts it, restores a backup on another database, and
 * looks for every acknowledged write in both.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  return withScope((scope) => soak(scope, options))
}

async function soak(outer: Scope, options: SoakOptions): Promise<SoakReport> {
  const scope = new CleanUpStack(outer)
  const { durationMs, sessions, nodes, seed = Date.now() % 1_000_000, onProgress = () => {} } = options
  const random = seededRandom(seed)
  const ledger = new WriteLedger()
  const timeline = new Timeline()
  const stalls = new StallWatch(timeline)
  scope.after(() => stalls.stop())
  const calm = new Latencies()
  const disturbed = new Latencies()
  const findings: string[] = []
  const find = (finding: string) => {
    const line = `${new Date().toISOString()} ${finding}`
    onProgress(`FOUND ${line}`)
    if (findings.length < MAX_FINDINGS) findings.push(line)
  }
  const onDelay: SoakUserDeps['onDelay'] = (name, since) =>
    (timeline.isCalm(since) ? calm : disturbed).add(name, Date.now() - since)
  const onFailure: SoakUserDeps['onFailure'] = (action, since, error) => {
    const { status, cause } = error as { readonly status?: number; readonly cause?: unknown }
    stalls.look()
    if (timeline.isCalm(since) || (status === 500 && !timeline.explains(`${error.message} status 500`)))
      find(`${action}: ${error.message}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  }
  let [pressesReceived, messages] = [0, 0]
  const app = new AppServer({
    packageName: SOAK_PACKAGE,
    subscriptions: ['audio_chunk', 'transcription:en-US', 'button_press', 'VAD', 'location_update'],
    reconnectMs: 200,
    respond: (message) => {
      const buttonId = /"buttonId":"([^"]*)"/.exec(message)?.[1]
      if (buttonId !== undefined) {
        pressesReceived += 1
        SoakUser.measurePress(buttonId, onDelay)
      }
      messages += 1
      return `Message ${messages}`
    },
  })
  const publicUrl = await app.listen()
  scope.after(() => app.close())
  const next = makeNextVersion(scope)
  const cloud = await SoakCloud.create(scope, {
    nodes,
    onError: (node, line) => {
      if (!timeline.explains(line)) find(`${node}: ${line}`)
    },
    backupEvery: BACKUP_EVERY,
  })
  onProgress(`seed ${seed}: starting ${nodes} nodes`)
  await cloud.start()
  app.apiKey = await cloud.registerApp(soakManifest(publicUrl))
  const deps: SoakUserDeps = { url: cloud.url, app, ledger, random, onDelay, onFailure }
  const users = Array.from({ length: sessions }, (_, index) => new SoakUser(index, deps))
  scope.after(() => Promise.all(users.map((user) => user.stop())))
  onProgress(`connecting ${sessions} sessions`)
  await mapConcurrently(users, CONNECT_CONCURRENCY, (user) => user.connect())

  const startedAt = new Date()
  const samples = new ResourceSamples()
  let early: ReadonlyMap<string, number> = new Map()
  const runs = users.map((user) => user.run())
  const end = Date.now() + durationMs
  const disturbing = disturb(cloud, faultsOf(cloud, app, users), {
    timeline,
    end,
    upgradeAt: end - durationMs * (1 - UPGRADE_AT),
    intervalMs: options.faultEveryMs ?? Math.max(MIN_FAULT_INTERVAL_MS, durationMs / FAULTS),
    onProgress,
    next,
  })
  // Its failure ends the soak at once.
  const failed = new AbortController()
  disturbing.catch((error: unknown) => failed.abort(error))
  const intervalMs = Math.max(MIN_SAMPLE_INTERVAL_MS, durationMs / SAMPLES)
  for (let taken = 0; Date.now() < end && !failed.signal.aborted; taken += 1) {
    await delay(Math.min(intervalMs, Math.max(1, end - Date.now())))
    const line = await samples.take(cloud.nodes)
    if (taken === SAMPLES / 4) early = await cloud.sizes()
    if (taken % Math.ceil(SAMPLES / PROGRESS_LINES) === 0)
      onProgress(`${line}; ${Math.round((end - Date.now()) / 1_000)} s left`)
  }
  await Promise.all(users.map((user) => user.stop()))
  await Promise.all(runs)
  await disturbing
  const late = await cloud.sizes()

  onProgress('backup, and a restore on another database')
  const file = await cloud.backUp()
  onProgress('killing the cloud')
  await cloud.kill()
  await cloud.start()
  const lost = [await findLost('the cloud after all processes were killed', cloud.url, users, ledger)]
  const restored = await SoakCloud.create(scope, {
    nodes: 1,
    onError: (_, line) => find(`restored cloud: ${line}`),
  })
  await restored.restore(file)
  await restored.start()
  lost.push(await findLost('a cloud restored from the backup on SQLite', restored.url, users, ledger))
  const lives = samples.lives()
  return {
    seed,
    startedAt,
    durationMs,
    sessions,
    nodes,
    actions: sumCounts(users),
    pressesReceived,
    acknowledgedWrites: ledger.acknowledgedWrites,
    lost,
    findings,
    incidents: timeline.incidents,
    scheduledBackups: samples.backups.size,
    calm: calm.summaries(),
    disturbed: disturbed.summaries(),
    lives,
    growth: [...late]
      .map(([name, size]) => ({ name, early: early.get(name) ?? 0, late: size }))
      .sort((a, b) => b.late - a.late),
    passed:
      findings.length === 0 &&
      lost.every(({ keys }) => keys.length === 0) &&
      lives.every(({ resident, live }) => resident.isFlat !== false && live.isFlat !== false),
  }
}

/** Performs the faults one after the other until the end, and the upgrade in the middle. */
async function disturb(
  cloud: SoakCloud,
  faults: readonly Fault[],
  {
    timeline,
    end,
    upgradeAt,
    intervalMs,
    onProgress,
    next,
  }: {
    readonly timeline: Timeline
    /** Epoch ms. */
    readonly end: number
    readonly upgradeAt: number
    readonly intervalMs: number
    readonly onProgress: (line: string) => void
    readonly next: Release
  },
): Promise<void> {
  let isUpgraded = false
  for (let turn = 0; ; turn += 1) {
    const nextAt = Date.now() + intervalMs
    // The last fault is over, and the cloud has recovered, before the end.
    if (nextAt + intervalMs > end && isUpgraded) return
    if (!isUpgraded && nextAt > upgradeAt) {
      await delay(Math.max(0, upgradeAt - Date.now()))
      onProgress(`${cloud.nodes.length} nodes to the next version and back`)
      await timeline.record(
        'every node is replaced by the next version, then by this one again',
        async () => {
          await cloud.replace(next)
          await cloud.replace(CURRENT)
        },
      )
      isUpgraded = true
      continue
    }
    await delay(intervalMs)
    const fault = faults[turn % faults.length]
    if (!fault) return
    onProgress(fault.name)
    await timeline.record(fault.name, fault.run, fault.causes)
  }
}

async function findLost(
  place: string,
  url: string,
  users: readonly SoakUser[],
  ledger: WriteLedger,
): Promise<LostWrites> {
  const stored: Record<string, string | undefined> = {}
  await mapConcurrently(users, CONNECT_CONCURRENCY, async (user) =>
    Object.assign(stored, await user.readStored(url)),
  )
  return { place, keys: ledger.keys.filter((key) => ledger.isLost(key, stored[key])) }
}

function soakManifest(publicUrl: string): Record<string, unknown> {
  return {
    packageName: SOAK_PACKAGE,
    name: 'Soak',
    publicUrl,
    appType: 'BACKGROUND',
    appStoreStatus: 'PUBLISHED',
    permissions: [
      { type: 'MICROPHONE', description: 'Soak' },
      { type: 'LOCATION', description: 'Soak' },
    ],
  }
}

function sumCounts(users: readonly SoakUser[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { counts } of users) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

/** Mulberry32: a small generator with a 32-bit seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
