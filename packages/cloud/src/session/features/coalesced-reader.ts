import type { StoreResult } from '../ports.ts'

type Reader<Value> = (value: StoreResult<Value>) => void

/**
 * Reads of one thing, one after another. Each asker gets what a read found that began after it asked, and nobody is
 * given something older than what was given before: what is stored may change at any time.
 */
export class CoalescedReader<Value> {
  readonly #read: (done: Reader<Value>) => void
  #waiting: Reader<Value>[] = []
  #reading = false

  /** @param read reads what is stored now */
  constructor(read: (done: Reader<Value>) => void) {
    this.#read = read
  }

  /** Whether a read is under way. */
  get isReading(): boolean {
    return this.#reading
  }

  /** Gives what is stored now, or later. */
  read(reader: Reader<Value>): void {
    this.#waiting.push(reader)
    if (!this.#reading) this.#next()
  }

  #next(): void {
    this.#reading = true
    const asked = this.#waiting.splice(0)
    this.#read((value) => {
      this.#reading = this.#waiting.length > 0
      if (this.#reading) this.#next()
      for (const reader of asked) reader(value)
    })
  }
}
