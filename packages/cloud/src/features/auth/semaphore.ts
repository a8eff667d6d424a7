/** Runs at most a number of tasks at a time; further ones wait in order. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
