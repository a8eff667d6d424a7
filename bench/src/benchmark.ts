import type { Figure } from './figure.ts'

/** Options of the command line. */
export interface BenchmarkOptions {
  /** Number of idle connections of `idle-connections`. */
  readonly connections: number
}

/** A benchmark: measures the cloud and a bare baseline in the same run. */
export interface Benchmark {
  /** What it measures, in a few words. */
  readonly title: string
  readonly run: (options: BenchmarkOptions) => Promise<readonly Figure[]>
}
