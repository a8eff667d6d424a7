/** Whether the JSON of a value is longer than `length` characters, roughly. Stops as soon as that is known. */
export function isLargerThan(value: unknown, length: number): boolean {
  return subtractLength(value, length) < 0
}

function subtractLength(value: unknown, remaining: number): number {
  if (typeof value === 'string') return remaining - value.length - 2
  if (typeof value !== 'object' || value === null) return remaining - 4
  let left = remaining - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) return left
      left = subtractLength(item, left - 1)
    }
    return left
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    if (left < 0) return left
    left = subtractLength(fields[key], left - key.length - 4)
  }
  return left
}
