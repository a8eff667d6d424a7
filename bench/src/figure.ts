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

/** A measured figure of a benchmark. */
export interface Figure {
  readonly name: string
  readonly value: number
  /** For instance `× bare ws`, `ms`, `KB`. */
  readonly unit: string
  /** The measured values behind a ratio, for instance `12.1 against 8.0 µs`. */
  readonly detail?: string
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number }
}

/** Formats a figure as one line: name, value, detail, and the aim with whether it is reached. */
export function formatFigure({ name, value, unit, detail, aim }: Figure): string {
  const measured = `${formatNumber(value)} ${unit}${detail === undefined ? '' : ` (${detail})`}`
  if (aim === undefined) return `  ${name}: ${measured}`
  const isReached = 'atMost' in aim ? value <= aim.atMost : value >= aim.atLeast
  const bound = 'atMost' in aim ? `at most ${aim.atMost}` : `at least ${aim.atLeast}`
  return `  ${name}: ${measured}; aim: ${bound}, ${isReached ? 'reached' : 'MISSED'}`
}

/** Two decimals below 10, one below 100, none above. */
export function formatNumber(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param fraction for instance 0.999 for the 99.9th percentile */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
