/**
 * Runs tasks one after another per key. What is written about one user so reaches the database in the order it
 * was decided in.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the task when those before it under the same key are done, whether they failed or not. */
  run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const result = before.then(task, task)
    const settled: Promise<void> = result.then(
      () => {},
      () => {},
    )
    this.#last.set(key, settled)
    settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key)
    })
    return result
  }

  /** Resolves when all that was handed in so far is done. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
