/** A cache with a maximum size that evicts the least recently used entry. */
export class LruCache<Value> {
  readonly #maxSize: number
  readonly #entries = new Map<string, Value>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns the value of a key, which thereby counts as used. */
  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    // A map iterates in insertion order, so the first key is the least recently used one.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Returns the value of a key, creating it if it is not cached. */
  getOrCreate(key: string, create: (key: string) => Value): Value {
    const value = this.#entries.get(key) ?? create(key)
    this.set(key, value)
    return value
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
