// Phones import this file, so it imports nothing of Node.

/** Number of different keys that a JSON text from a client may contain; the largest legitimate one is 10,000 (STG-6). */
export const MAX_JSON_KEYS = 16_000

/** Shorter texts cannot contain enough keys to block the event loop, and are not scanned. */
const MIN_SCANNED_LENGTH = 64 * 1024

/** Number of hash values; a collision makes the count too low, never too high. */
const HASH_VALUES = 1 << 17
const seen = new Uint8Array(HASH_VALUES)

const QUOTE = 34
const BACKSLASH = 92
const COLON = 58

/**
 * Whether a JSON text contains more than `MAX_JSON_KEYS` different keys, approximately. `JSON.parse` takes 0.3 s for a
 * mebibyte of different keys and a hundredth of that for repeated ones; this takes some milliseconds, and stops early.
 */
export function hasTooManyKeys(json: string): boolean {
  if (json.length < MIN_SCANNED_LENGTH) return false
  seen.fill(0)
  let keys = 0
  let hash = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) {
      hash = 0
      for (index += 1; index < json.length; index += 1) {
        const inner = json.charCodeAt(index)
        if (inner === QUOTE) break
        if (inner === BACKSLASH) index += 1
        hash = (Math.imul(hash, 31) + inner) | 0
      }
    } else if (code === COLON) {
      // Outside a string, a colon follows a key.
      const slot = (hash ^ (hash >>> 15)) & (HASH_VALUES - 1)
      if (seen[slot] === 0) {
        seen[slot] = 1
        keys += 1
        if (keys > MAX_JSON_KEYS) return true
      }
    }
  }
  return false
}

/** Whether the JSON of a value is longer than `length` characters, roughly. Stops as soon as that is known. */
export function isLargerThan(value: unknown, length: number): boolean {
  return subtractLength(value, length) < 0
}

/** Returns the length of the JSON of a value, roughly. */
export function jsonLength(value: unknown): number {
  return 2 ** 40 - subtractLength(value, 2 ** 40)
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
