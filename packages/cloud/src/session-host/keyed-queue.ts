/** Runs tasks with the same key in sequence, so that the writes of one user reach the database in order. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs the task after all earlier tasks with the same key have completed or failed. */
  run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const previous = this.#last.get(key) ?? Promise.resolve()
    const result = previous.then(task, task)
    const completed: Promise<void> = result.then(
      () => {},
      () => {},
    )
    this.#last.set(key, completed)
    completed.then(() => {
      if (this.#last.get(key) === completed) this.#last.delete(key)
    })
    return result
  }

  /** Resolves once the queue is empty. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}

/**
 * Returns a function that writes a value. Of values that arrive during a write only the last is written, so that a client
 * that changes its state without end cannot fill a queue.
 */
export function writeLatest<Value>(
  write: (value: Value) => Promise<void>,
  failed: (error: unknown) => void,
): (value: Value) => void {
  let waiting: { readonly value: Value } | undefined
  let isWriting = false
  return (value) => {
    waiting = { value }
    if (isWriting) return
    isWriting = true
    void (async () => {
      while (waiting !== undefined) {
        const next: Value = waiting.value
        waiting = undefined
        await write(next).catch(failed)
      }
      isWriting = false
    })()
  }
}
