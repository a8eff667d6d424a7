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
export function formatFigure(figure: Figure): string {
  const { name, value, unit, detail, aim } = figure
  const measured = `${formatNumber(value)} ${unit}${detail === undefined ? '' : ` (${detail})`}`
  return `  ${name}: ${measured}${aim === undefined ? '' : `; aim: ${formatAim(figure, ', reached', ', MISSED')}`}`
}

/** Formats the aim of a figure, with one of two texts that tell whether it is reached. */
export function formatAim({ value, aim }: Figure, reached: string, missed: string): string {
  if (aim === undefined) return '–'
  return 'atMost' in aim
    ? `at most ${aim.atMost}${value <= aim.atMost ? reached : missed}`
    : `at least ${aim.atLeast}${value >= aim.atLeast ? reached : missed}`
}

/** Two decimals below 10, one below 100, none above. */
export function formatNumber(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

/** Formats the values behind a ratio. */
export function against(value: number, base: number, unit: string): string {
  return `${formatNumber(value)} against ${formatNumber(base)} ${unit}`
}

/** Formats a table in Markdown. */
export function formatTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [columns, columns.map(() => '---'), ...rows].map(line).join('\n')
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param fraction for instance 0.999 for the 99.9th percentile */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

/**
 * Measures several sides in alternating rounds, so that other load of the machine affects all of them.
 * @param warmUp rounds that do not count
 * @returns the median of each side
 */
export async function measureInTurn<const Sides extends readonly (() => Promise<number>)[]>(
  rounds: number,
  sides: Sides,
  warmUp = 1,
): Promise<{ [Index in keyof Sides]: number }> {
  const values = sides.map((): number[] => [])
  for (let round = 0; round < warmUp + rounds; round += 1)
    for (const [index, measure] of sides.entries()) {
      const value = await measure()
      if (round >= warmUp) values[index]?.push(value)
    }
  return values.map(median) as { [Index in keyof Sides]: number }
}
