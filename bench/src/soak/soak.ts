import { setTimeout as delay } from 'node:timers/promises'
import { CloudProcess } from './cloud-process.ts'
import { type MemoryTrend, memoryTrend } from './memory-trend.ts'
import { SOAK_PACKAGE, SoakApp } from './soak-app.ts'
import { SoakUser } from './soak-user.ts'
import { WriteLedger } from './write-ledger.ts'

export interface SoakOptions {
  readonly durationMs: number
  readonly sessions: number
  /** Seed of the random choices. */
  readonly seed?: number
  /** Called with a line of progress. */
  readonly onProgress?: (line: string) => void
}

export interface SoakReport {
  /** Number of actions by name. */
  readonly actions: Readonly<Record<string, number>>
  readonly acknowledgedWrites: number
  /** Keys whose acknowledged write is not stored. */
  readonly lostWrites: readonly string[]
  /** Errors in the log of the cloud. */
  readonly logErrors: readonly string[]
  /** Requests answered with status 500. */
  readonly serverErrors: readonly string[]
  readonly memory: MemoryTrend
  readonly passed: boolean
}

const CONNECT_CONCURRENCY = 10
const MIN_SAMPLE_INTERVAL_MS = 500
const SAMPLES = 120

/**
 * Runs mixed traffic with faults, slow readers and hostile messages against a cloud process, then kills the cloud,
 * restarts it and checks every acknowledged write.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { durationMs, sessions, seed = Date.now(), onProgress = () => {} } = options
  const random = seededRandom(seed)
  const ledger = new WriteLedger()
  const serverErrors: string[] = []
  const app = new SoakApp()
  const publicUrl = await app.listen()
  const cloud = await CloudProcess.start()
  try {
    app.apiKey = await cloud.registerApp(soakManifest(publicUrl))
    const users = Array.from(
      { length: sessions },
      (_, index) =>
        new SoakUser(index, {
          url: cloud.url,
          app,
          ledger,
          random,
          onServerError: (request) => serverErrors.push(request),
        }),
    )
    onProgress(`seed ${seed}: connecting ${sessions} sessions`)
    await forEachConcurrently(users, (user) => user.connect())
    const runs = users.map((user) => user.run())
    const samples = await sampleMemory(cloud, durationMs, onProgress).finally(async () => {
      await Promise.all(users.map((user) => user.stop()))
      await Promise.all(runs)
    })
    await cloud.killAndRestart()
    const lostWrites = await findLostWrites(users, ledger)
    const memory = memoryTrend(samples, durationMs)
    return {
      actions: sumCounts(users),
      acknowledgedWrites: ledger.acknowledgedWrites,
      lostWrites,
      logErrors: cloud.errors,
      serverErrors,
      memory,
      passed:
        lostWrites.length === 0 &&
        cloud.errors.length === 0 &&
        serverErrors.length === 0 &&
        memory.isFlat !== false,
    }
  } finally {
    app.close()
    await cloud.stop()
  }
}

async function sampleMemory(
  cloud: CloudProcess,
  durationMs: number,
  onProgress: (line: string) => void,
): Promise<number[]> {
  const intervalMs = Math.max(MIN_SAMPLE_INTERVAL_MS, durationMs / SAMPLES)
  const deadline = Date.now() + durationMs
  const samples: number[] = []
  while (Date.now() < deadline) {
    await delay(Math.min(intervalMs, deadline - Date.now()))
    samples.push(await cloud.residentBytes())
    const secondsLeft = Math.round((deadline - Date.now()) / 1_000)
    if (samples.length % 10 === 0)
      onProgress(`${toMegabytes(samples.at(-1) ?? 0)} MB resident, ${secondsLeft} s left`)
  }
  return samples
}

async function findLostWrites(users: readonly SoakUser[], ledger: WriteLedger): Promise<string[]> {
  const stored: Record<string, string | undefined> = {}
  await forEachConcurrently(users, async (user) => void Object.assign(stored, await user.readStored()))
  return ledger.keys.filter((key) => ledger.isLost(key, stored[key]))
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

export function toMegabytes(bytes: number): string {
  return (bytes / 1_024 / 1_024).toFixed(0)
}
