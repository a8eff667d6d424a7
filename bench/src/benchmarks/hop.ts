import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { HOP_PATHS, type HopPath } from '../processes/hop-commands.ts'
import { median, percentile } from '../statistics.ts'
import { HopCluster, type HopSample } from '../support/hop-cluster.ts'

const SESSIONS = [20, 100, 300]
const SECONDS = 1
const ROUNDS = 12

/** Paths, and those they are compared with. */
const COMPARED: readonly (readonly [HopPath, HopPath])[] = [
  ['direct-tls', 'redis-tls'],
  ['direct-tls', 'redis'],
  ['direct', 'redis'],
  ['redis', 'bare'],
  ['direct', 'bare'],
]

const NAMES: Readonly<Record<HopPath, string>> = {
  none: 'nothing',
  bare: 'bare connection',
  redis: 'Redis',
  'redis-tls': 'Redis with TLS',
  direct: 'direct',
  'direct-tls': 'direct with TLS',
}

type Round = ReadonlyMap<HopPath, HopSample>

/** Audio from one node to another. */
export const hop: Benchmark = {
  title: 'audio from one node to another, over Redis and over a direct connection, against a bare connection',
  async run() {
    const cluster = await HopCluster.start()
    const figures: Figure[] = []
    for (const sessions of SESSIONS) {
      const rounds: Round[] = []
      for (let index = 0; index <= ROUNDS; index += 1) {
        const round = new Map<HopPath, HopSample>()
        // The order alternates, so that other load of the machine affects all paths.
        for (const path of index % 2 === 0 ? HOP_PATHS : HOP_PATHS.toReversed())
          round.set(path, await cluster.measure(path, sessions, SECONDS))
        // The first round warms up.
        if (index > 0) rounds.push(round)
      }
      for (const [path, base] of COMPARED)
        figures.push(...compare(`${sessions} sessions, `, path, base, rounds))
    }
    cluster.stop()
    return figures
  },
}

function compare(prefix: string, path: HopPath, base: HopPath, rounds: readonly Round[]): Figure[] {
  const read = (round: Round, of: HopPath, key: keyof HopSample) => round.get(of)?.[key] ?? Number.NaN
  // What producing the frames costs is no part of the hop.
  const added = (round: Round, of: HopPath) => read(round, of, 'micros') - read(round, 'none', 'micros')
  const unit = `× ${NAMES[base]}`
  const name = `${prefix}${NAMES[path]}`
  return [
    {
      name: `${name}: median of the delay`,
      unit,
      ...ratio(rounds, 'ms', (round, side) => read(round, side === 0 ? path : base, 'p50')),
    },
    {
      name: `${name}: 99th percentile of the delay`,
      unit,
      ...ratio(rounds, 'ms', (round, side) => read(round, side === 0 ? path : base, 'p99')),
    },
    {
      name: `${name}: processor time per frame`,
      unit,
      ...ratio(rounds, 'µs', (round, side) => added(round, side === 0 ? path : base)),
    },
  ]
}

/** The median of the ratios of all rounds, with their quartiles. */
function ratio(
  rounds: readonly Round[],
  unit: string,
  read: (round: Round, side: 0 | 1) => number,
): Pick<Figure, 'value' | 'detail'> {
  const ratios = rounds.map((round) => read(round, 0) / read(round, 1))
  const [low, high] = [0.25, 0.75].map((fraction) => formatNumber(percentile(ratios, fraction)))
  const [value, base] = ([0, 1] as const).map((side) =>
    formatNumber(median(rounds.map((round) => read(round, side)))),
  )
  return { value: median(ratios), detail: `quartiles ${low} and ${high}; ${value} against ${base} ${unit}` }
}
