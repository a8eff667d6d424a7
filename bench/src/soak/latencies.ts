import { percentile } from '../statistics.ts'

/** Most delays kept of one kind; then each further one replaces a random one, so that all are equally likely to be kept. */
const MAX_KEPT = 100_000

/** Percentiles in ms. */
export interface LatencySummary {
  readonly name: string
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Records delays by name. */
export class Latencies {
  readonly #kept = new Map<string, number[]>()
  readonly #totals = new Map<string, { count: number; max: number }>()

  add(name: string, ms: number): void {
    const kept = this.#kept.get(name) ?? []
    const total = this.#totals.get(name) ?? { count: 0, max: 0 }
    this.#kept.set(name, kept)
    this.#totals.set(name, { count: total.count + 1, max: Math.max(total.max, ms) })
    if (kept.length < MAX_KEPT) kept.push(ms)
    else {
      const index = Math.floor(Math.random() * (total.count + 1))
      if (index < MAX_KEPT) kept[index] = ms
    }
  }

  summaries(): LatencySummary[] {
    return [...this.#kept].map(([name, kept]) => ({
      name,
      count: this.#totals.get(name)?.count ?? 0,
      p50: percentile(kept, 0.5),
      p99: percentile(kept, 0.99),
      max: this.#totals.get(name)?.max ?? 0,
    }))
  }
}
