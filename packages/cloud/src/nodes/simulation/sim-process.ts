import type { Clock } from '../../time/index.ts'
import type { World } from './world.ts'

/** A process with clocks of its own: it can freeze and die. */
export class SimProcess {
  readonly world: World
  readonly clock: Clock
  /** How much faster the monotonic clock of the process is than the world. */
  readonly #rate: number
  readonly #delayed: (() => void)[] = []
  readonly #onDeath: (() => void)[] = []
  /** The difference between the wall clock and the true time. */
  #wallOffset = 0
  #isFrozen = false
  #isDead = false

  constructor(world: World) {
    const { random } = world
    this.world = world
    this.#rate = 0.99 + 0.02 * random.next()
    const bootedAt = random.below(10_000)
    this.clock = {
      now: () => Date.UTC(2026, 0, 1) + world.now + this.#wallOffset,
      monotonicNow: () => bootedAt + Math.floor(world.now * this.#rate),
      after: (ms, run) => this.#after(ms, run),
    }
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Sets the wall clock forward, or back if `ms` is negative. */
  jumpWallClock(ms: number): void {
    this.#wallOffset += ms
  }

  freeze(): void {
    this.#isFrozen = true
  }

  /** Continues. What was due meanwhile happens in any order, as timers and sockets do. */
  thaw(): void {
    if (!this.#isFrozen || this.#isDead) return
    this.#isFrozen = false
    // Each in a turn of its own, so that promises are settled in between.
    for (const run of shuffled(this.#delayed.splice(0), this.world))
      this.world.after(0, () => this.whenAwake(run))
  }

  /** Ends the process; nothing of it happens any more. */
  die(): void {
    this.#isDead = true
    this.#delayed.length = 0
    for (const run of this.#onDeath.splice(0)) run()
  }

  onDeath(run: () => void): void {
    this.#onDeath.push(run)
  }

  /** Runs a task of this process, once it is not frozen. */
  whenAwake(run: () => void): void {
    if (this.#isDead) return
    if (this.#isFrozen) this.#delayed.push(run)
    else run()
  }

  #after(ms: number, run: () => void) {
    let isCanceled = false
    const planned = this.world.after(Math.ceil(ms / this.#rate), () =>
      this.whenAwake(() => {
        if (!isCanceled) run()
      }),
    )
    return {
      cancel: () => {
        isCanceled = true
        planned.cancel()
      },
    }
  }
}

function shuffled<Item>(items: Item[], { random }: World): Item[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1)
    const item = items[index] as Item
    items[index] = items[other] as Item
    items[other] = item
  }
  return items
}
