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
