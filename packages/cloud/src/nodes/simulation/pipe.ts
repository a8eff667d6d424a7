import type { SimProcess } from './sim-process.ts'
import type { World } from './world.ts'

/** One direction of a connection: what is sent happens at the other end later, in order, unless the pipe breaks. */
export class Pipe {
  readonly #world: World
  readonly #receiver: SimProcess | undefined
  readonly #delay: () => number
  readonly #queue: (() => void)[] = []
  #lastAt = 0
  #held = 0
  #isHeld = false
  #isBroken = false

  /** @param receiver the process at the other end; undefined: one that never freezes */
  constructor(world: World, receiver: SimProcess | undefined, delay: () => number) {
    this.#world = world
    this.#receiver = receiver
    this.#delay = delay
  }

  send(run: () => void): void {
    if (this.#isBroken) return
    this.#queue.push(run)
    this.#lastAt = Math.max(this.#lastAt, this.#world.now + this.#delay())
    this.#world.after(this.#lastAt - this.#world.now, () => {
      if (this.#isHeld) this.#held += 1
      else this.#arrive()
    })
  }

  /** Holds what arrives, as a network that loses packets does, until `resume`. */
  hold(): void {
    this.#isHeld = true
  }

  resume(): void {
    this.#isHeld = false
    for (; this.#held > 0; this.#held -= 1) this.#arrive()
  }

  /** Loses everything that has not arrived. */
  break(): void {
    this.#isBroken = true
    this.#queue.length = 0
  }

  #arrive(): void {
    const run = () => this.#queue.shift()?.()
    if (this.#receiver) this.#receiver.whenAwake(run)
    else run()
  }
}
