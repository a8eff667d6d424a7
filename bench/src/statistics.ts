export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param fraction for instance 0.999 for the 99.9th percentile */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
