import type { SimProcess } from './sim-process.ts'
import type { World } from './world.ts'

/** Answers a call, now or later. */
export interface Reply<Value> {
  resolve(value: Value): void
  reject(error: Error): void
}

/** Longest delay of a message while the network is fast. */
export const FAST_MS = 10

/** A server that nodes call: Redis or PostgreSQL. */
export class SimServer {
  readonly world: World
  /** Processes that cannot reach the server. */
  readonly cut = new Set<SimProcess>()
  #isDown = false
  /** Longest delay of a message in each direction. */
  maxDelayMs = FAST_MS
  /** Time after which a call without a response fails. */
  readonly #timeoutMs: number

  constructor(world: World, timeoutMs: number) {
    this.world = world
    this.#timeoutMs = timeoutMs
  }

  isReachable(from: SimProcess): boolean {
    return !this.#isDown && !this.cut.has(from)
  }

  stop(): void {
    this.#isDown = true
  }

  startAgain(): void {
    this.#isDown = false
  }

  delay(): number {
    return this.world.random.below(this.maxDelayMs + 1)
  }

  /** Runs an operation on the server. Either message may be delayed or lost: a failed operation may have run. */
  call<Value>(from: SimProcess, operation: (reply: Reply<Value>) => void): Promise<Value> {
    return new Promise((resolve, reject) => {
      const { world } = this
      const timeoutAt = world.now + this.#timeoutMs
      const lose = () =>
        world.after(timeoutAt - world.now, () => from.whenAwake(() => reject(new Error('no response'))))
      const respond = (run: () => void) => {
        // Most responses are immediate, so that schedules are short: the request was delayed already.
        const delayMs = this.maxDelayMs > FAST_MS ? this.delay() : 0
        if (!this.isReachable(from) || world.now + delayMs > timeoutAt) lose()
        else if (delayMs === 0) from.whenAwake(run)
        else world.after(delayMs, () => from.whenAwake(run))
      }
      world.after(this.delay(), () => {
        if (from.isDead) return
        if (!this.isReachable(from)) return lose()
        operation({
          resolve: (value) => respond(() => resolve(value)),
          reject: (error) => respond(() => reject(error)),
        })
      })
    })
  }
}
