import type { StoreResult } from '../ports.ts'
import type { Environment } from './environment.ts'

export interface AnswerOptions {
  /** Writes are answered in order. */
  readonly isWrite?: boolean
  onAnswered?(ok: boolean): void
}

/** A database with random delays and failures. */
export class Database {
  /** The apps stored as running. */
  readonly rows = new Set<string>()
  readonly #env: Environment
  #lastWriteAt = 0

  constructor(env: Environment) {
    this.#env = env
  }

  /** Answers after a random delay. A read returns the value at a moment in between. */
  answer<Value>(
    done: (outcome: StoreResult<Value>) => void,
    value: () => Value,
    { isWrite = false, onAnswered }: AnswerOptions = {},
  ): void {
    const { clock, random, isCalm } = this.#env
    const ok = isCalm || !random.chance(0.03)
    let at = clock.now() + random.below(isCalm ? 5 : 300)
    const replyDelay = isWrite ? 0 : random.below(isCalm ? 5 : 200)
    if (isWrite) this.#lastWriteAt = at = Math.max(at, this.#lastWriteAt)
    clock.after(at - clock.now(), () => {
      const outcome: StoreResult<Value> = ok ? { ok, value: value() } : { ok }
      const deliver = () => {
        onAnswered?.(ok)
        done(outcome)
      }
      if (isWrite) deliver()
      else clock.after(replyDelay, deliver)
    })
  }
}
