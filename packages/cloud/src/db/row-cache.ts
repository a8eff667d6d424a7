import type { ChangedKeys, ChangeFeed, ChangeTopic } from './change-feed.ts'

/** A cache with a maximum size that evicts the least recently used entry. */
export class LruCache<Value, Key = string> {
  readonly #maxSize: number
  readonly #entries = new Map<Key, Value>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Returns the value of a key, which thereby counts as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    // A map iterates in insertion order, so the first key is the least recently used one.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxSize) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Returns the value of a key, creating it if it is not cached. */
  getOrCreate(key: Key, create: (key: Key) => Value): Value {
    const value = this.#entries.get(key) ?? create(key)
    this.set(key, value)
    return value
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** Options of a row cache. */
interface RowCacheOptions {
  readonly changes: ChangeFeed
  /** The topic whose changes remove values; its keys are those of the cache. */
  readonly topic: ChangeTopic
  /** Values kept; the least recently used are removed first. */
  readonly maxEntries: number
}

/** Values derived from rows, kept until one of the rows changes, in this process or another. */
export class RowCache<Value> {
  readonly #changes: ChangeFeed
  readonly #values: LruCache<Value>
  /** Grows with every change of the topic. */
  #generation = 0

  constructor({ changes, topic, maxEntries }: RowCacheOptions) {
    this.#changes = changes
    this.#values = new LruCache(maxEntries)
    changes.on(topic, (keys) => this.#invalidate(keys))
  }

  /** Returns the value of a key, which is never older than the call. */
  async get(key: string, load: () => Promise<Value>): Promise<Value> {
    const pending = this.#changes.catchUp()
    if (pending !== undefined) await pending
    const cached = this.#values.get(key)
    if (cached !== undefined) return cached
    const generation = this.#generation
    const value = await load()
    // Rows that changed while they were read may have been read too early.
    if (generation === this.#generation) this.#values.set(key, value)
    return value
  }

  #invalidate(keys: ChangedKeys): void {
    this.#generation += 1
    if (keys === 'all') this.#values.clear()
    else for (const key of keys) this.#values.delete(key)
  }
}
