import type { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { StoreResult } from '../ports.ts'
import type { SeededRandom } from './fixtures.ts'

/** Collaborators of the database. */
export interface DatabaseDeps {
  readonly clock: VirtualClock
  readonly random: SeededRandom
  readonly isCalm: boolean
}

export interface OperationOptions {
  /** Writes complete in order. */
  readonly isWrite?: boolean
  onCompleted?(ok: boolean): void
}

/** A database with random delays and failures. */
export class Database {
  /** The apps stored as running. */
  readonly rows = new Set<string>()
  readonly #deps: DatabaseDeps
  #lastWriteAt = 0

  constructor(deps: DatabaseDeps) {
    this.#deps = deps
  }

  /** Completes an operation after a random delay. A read returns the value at a moment in between. */
  execute<Value>(
    done: (outcome: StoreResult<Value>) => void,
    value: () => Value,
    { isWrite = false, onCompleted }: OperationOptions = {},
  ): void {
    const { clock, random, isCalm } = this.#deps
    const ok = isCalm || !random.chance(0.03)
    let at = clock.monotonicNow() + random.below(isCalm ? 5 : 300)
    const replyDelay = isWrite ? 0 : random.below(isCalm ? 5 : 200)
    if (isWrite) this.#lastWriteAt = at = Math.max(at, this.#lastWriteAt)
    clock.after(at - clock.monotonicNow(), () => {
      const outcome: StoreResult<Value> = ok ? { ok, value: value() } : { ok }
      const deliver = () => {
        onCompleted?.(ok)
        done(outcome)
      }
      if (isWrite) deliver()
      else clock.after(replyDelay, deliver)
    })
  }
}
