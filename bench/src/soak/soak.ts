import { setTimeout as delay } from 'node:timers/promises'
import { makeNextVersion, THIS_RELEASE } from '@glasses-cloud/cloud/test/next-version'
import { CleanUpStack, type Scope } from '@glasses-cloud/cloud/test/scope'
import { type Fault, faultsOf } from './faults.ts'
import { Latencies, type LatencySummary, StallWatch, type Incident, Timeline, WriteLedger } from './records.ts'
import { type ProcessLife, ResourceSamples } from './memory.ts'
import { SOAK_PACKAGE, SoakApp } from './soak-app.ts'
import { SoakCloud } from './soak-cloud.ts'
import { SoakUser, type SoakUserDeps } from './soak-user.ts'

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

/** How much was stored: after a quarter of the time, and at the end. */
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
  const steps: (() => unknown)[] = []
  try {
    return await soak({ after: (step) => void steps.push(step) }, options)
  } finally {
    for (const step of steps.reverse()) await step()
  }
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
  const app = new SoakApp()
  let pressesReceived = 0
  app.onButton = (buttonId) => {
    pressesReceived += 1
    SoakUser.measurePress(buttonId, onDelay)
  }
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
  onProgress(`connecting ${sessions} sessions`)
  await forEachConcurrently(users, (user) => user.connect())

  const startedAt = new Date()
  const samples = new ResourceSamples()
  const growth = new GrowthRecorder(cloud)
  const runs = users.map((user) => user.run())
  const end = Date.now() + durationMs
  const disturbing = disturb(cloud, faultsOf(cloud, app, users), {
    timeline,
    end,
    upgradeAt: end - durationMs * (1 - UPGRADE_AT),
    intervalMs: options.faultEveryMs ?? Math.max(MIN_FAULT_INTERVAL_MS, durationMs / FAULTS),
    onProgress,
    upgrade: async () => {
      await cloud.replace(next)
      await cloud.replace(THIS_RELEASE)
    },
  })
  // Its failure ends the soak at once.
  const failed = new AbortController()
  disturbing.catch((error: unknown) => failed.abort(error))
  const intervalMs = Math.max(MIN_SAMPLE_INTERVAL_MS, durationMs / SAMPLES)
  for (let taken = 0; Date.now() < end && !failed.signal.aborted; taken += 1) {
    await delay(Math.min(intervalMs, Math.max(1, end - Date.now())))
    const line = await samples.take(cloud.nodes)
    if (taken === SAMPLES / 4) await growth.takeEarly()
    if (taken % Math.ceil(SAMPLES / PROGRESS_LINES) === 0)
      onProgress(`${line}; ${Math.round((end - Date.now()) / 1_000)} s left`)
  }
  await Promise.all(users.map((user) => user.stop()))
  await Promise.all(runs)
  await disturbing
  await growth.takeLate()

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
    growth: growth.list(),
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
    upgrade,
  }: {
    readonly timeline: Timeline
    /** Epoch ms. */
    readonly end: number
    readonly upgradeAt: number
    readonly intervalMs: number
    readonly onProgress: (line: string) => void
    readonly upgrade: () => Promise<void>
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
      await timeline.record('every node is replaced by the next version, then by this one again', upgrade)
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

/** Compares what is stored after a quarter of the time and at the end. */
class GrowthRecorder {
  readonly #cloud: SoakCloud
  #early = new Map<string, number>()
  #late = new Map<string, number>()

  constructor(cloud: SoakCloud) {
    this.#cloud = cloud
  }

  async takeEarly(): Promise<void> {
    this.#early = await this.#read()
  }

  async takeLate(): Promise<void> {
    this.#late = await this.#read()
  }

  /** The largest first. */
  list(): Growth[] {
    return [...this.#late]
      .map(([name, late]) => ({ name, early: this.#early.get(name) ?? 0, late }))
      .sort((a, b) => b.late - a.late)
  }

  async #read(): Promise<Map<string, number>> {
    const redis = await this.#cloud.redisSize()
    return new Map([
      ...(await this.#cloud.databaseSizes()),
      ...(redis
        ? ([
            ['bytes of Redis', redis.bytes],
            ['keys of Redis', redis.keys],
          ] as const)
        : []),
    ])
  }
}

async function findLost(
  place: string,
  url: string,
  users: readonly SoakUser[],
  ledger: WriteLedger,
): Promise<LostWrites> {
  const stored: Record<string, string | undefined> = {}
  await forEachConcurrently(users, async (user) => void Object.assign(stored, await user.readStored(url)))
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

async function forEachConcurrently<Value>(
  values: readonly Value[],
  run: (value: Value) => Promise<void>,
): Promise<void> {
  const remaining = [...values]
  const worker = async () => {
    for (let value = remaining.shift(); value !== undefined; value = remaining.shift()) await run(value)
  }
  await Promise.all(Array.from({ length: CONNECT_CONCURRENCY }, worker))
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
