/**
 * A map that takes no memory for entries while it is empty. An empty `Map` takes 200 bytes, and a session has dozens of
 * maps of which most stay empty. An iteration that is in progress does not visit what is added after the last entry was
 * deleted.
 */
export class LazyMap<Key, Value> implements Iterable<[Key, Value]> {
  #entries: Map<Key, Value> | undefined

  get size(): number {
    return this.#entries?.size ?? 0
  }

  get(key: Key): Value | undefined {
    return this.#entries?.get(key)
  }

  has(key: Key): boolean {
    return this.#entries?.has(key) === true
  }

  set(key: Key, value: Value): void {
    this.#entries ??= new Map()
    this.#entries.set(key, value)
  }

  delete(key: Key): void {
    this.#entries?.delete(key)
    if (this.#entries?.size === 0) this.#entries = undefined
  }

  clear(): void {
    this.#entries = undefined
  }

  keys(): Iterable<Key> {
    return this.#entries?.keys() ?? NONE
  }

  values(): Iterable<Value> {
    return this.#entries?.values() ?? NONE
  }

  [Symbol.iterator](): Iterator<[Key, Value]> {
    return (this.#entries ?? NONE)[Symbol.iterator]()
  }
}

/** A set that takes no memory for values while it is empty; see `LazyMap`. */
export class LazySet<Value> implements Iterable<Value> {
  #values: Set<Value> | undefined

  get size(): number {
    return this.#values?.size ?? 0
  }

  has(value: Value): boolean {
    return this.#values?.has(value) === true
  }

  add(value: Value): void {
    this.#values ??= new Set()
    this.#values.add(value)
  }

  delete(value: Value): void {
    this.#values?.delete(value)
    if (this.#values?.size === 0) this.#values = undefined
  }

  clear(): void {
    this.#values = undefined
  }

  [Symbol.iterator](): Iterator<Value> {
    return (this.#values ?? NONE)[Symbol.iterator]()
  }
}

const NONE: readonly never[] = []
