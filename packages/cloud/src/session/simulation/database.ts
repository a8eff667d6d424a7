import type { StoreResult } from '../ports.ts'
import type { World } from './world.ts'

/** How a database answers. */
export interface AnswerOptions {
  /** Writes keep their order, as the real ones do. */
  readonly isWrite?: boolean
  /** Told how it went. */
  answered?(ok: boolean): void
}

/** A database that takes its time, and fails by the dice. */
export class Database {
  /** The apps stored as running. */
  readonly rows = new Set<string>()
  readonly #world: World
  #writesUntil = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Answers after a while; what is read was so at some moment in between. */
  answer<Value>(
    done: (outcome: StoreResult<Value>) => void,
    value: () => Value,
    { isWrite = false, answered }: AnswerOptions = {},
  ): void {
    const { clock, random, calm } = this.#world
    const ok = calm || !random.chance(0.03)
    let at = clock.now() + random.below(calm ? 5 : 300)
    const onItsWay = isWrite ? 0 : random.below(calm ? 5 : 200)
    if (isWrite) this.#writesUntil = at = Math.max(at, this.#writesUntil)
    clock.after(at - clock.now(), () => {
      const outcome: StoreResult<Value> = ok ? { ok, value: value() } : { ok }
      const deliver = () => {
        answered?.(ok)
        done(outcome)
      }
      if (isWrite) deliver()
      else clock.after(onItsWay, deliver)
    })
  }
}
