const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A span like `30s`, `15m`, `1h` or `7d` in ms; nothing if the text is none or is longer than ten years. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (units[unit] ?? Number.NaN)
  return ms > 0 && ms <= 3_650 * 86_400_000 ? ms : undefined
}
