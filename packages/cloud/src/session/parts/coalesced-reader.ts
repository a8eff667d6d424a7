import type { StoreResult } from '../ports.ts'

type Callback<Value> = (value: StoreResult<Value>) => void

/**
 * Serializes and coalesces reads of one stored value. Each caller receives the result of a read that started after its
 * call, so never a value older than one that was delivered before.
 */
export class CoalescedReader<Value> {
  readonly #read: (done: Callback<Value>) => void
  #waiting: Callback<Value>[] = []
  #isReading = false

  /** @param read starts one read */
  constructor(read: (done: Callback<Value>) => void) {
    this.#read = read
  }

  get isReading(): boolean {
    return this.#isReading
  }

  /** Calls back with the result of the next read that starts. */
  read(callback: Callback<Value>): void {
    this.#waiting.push(callback)
    if (!this.#isReading) this.#startRead()
  }

  #startRead(): void {
    this.#isReading = true
    const callbacks = this.#waiting.splice(0)
    this.#read((value) => {
      this.#isReading = this.#waiting.length > 0
      if (this.#isReading) this.#startRead()
      for (const callback of callbacks) callback(value)
    })
  }
}
