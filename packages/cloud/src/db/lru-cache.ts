/**
 * Values made once and kept while they are in use: the most recently used ones, up to a bound.
 * @param max how many are kept
 * @param make makes the value of a key that is not kept
 */
export function recent<Value>(max: number, make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>()
  return (key) => {
    const value = kept.get(key) ?? make(key)
    // A map remembers the order of insertion: the first key is the one used longest ago.
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.keys()
    if (kept.size > max && oldest !== undefined) kept.delete(oldest)
    return value
  }
}
