import assert from 'node:assert/strict'
import type { World } from './world.ts'

/** A request of an app that nobody answered yet. */
export interface Asked {
  readonly packageName: string
  readonly id: string
  /** By when there is an answer, epoch milliseconds. */
  readonly deadline: number
  /** Nobody is told that it came to nothing. */
  readonly quiet: boolean
  /** The answer is given, and waits for the app's socket. */
  given: boolean
}

/** How a kind of request is answered. */
export interface LedgerOptions {
  /** What it is called in a complaint. */
  readonly what: string
  /** Milliseconds until there is an answer. */
  readonly wait: number
  /** The answer needs the app's socket: it may be late by as long as that was away. */
  readonly bySocket: boolean
  /** It comes when the answer is given here, or by the deadline; nobody else knows it. */
  readonly onlyGiven: boolean
}

/** What apps asked for, as the world knows it: each is answered once and in time, as long as its app is there. */
export class Ledger {
  readonly #world: World
  readonly #options: LedgerOptions
  /** In the order of asking. */
  #open: Asked[] = []

  constructor(world: World, options: LedgerOptions) {
    this.#world = world
    this.#options = options
  }

  ask(packageName: string, id: string, quiet = false): Asked {
    const deadline = this.#world.clock.now() + this.#options.wait
    const asked = { packageName, id, deadline, quiet, given: false }
    this.#open.push(asked)
    return asked
  }

  /** The open requests, the first one asked first. */
  get open(): readonly Asked[] {
    const now = this.#world.clock.now()
    this.#open = this.#open.filter(({ quiet, deadline }) => !quiet || deadline > now)
    return this.#open
  }

  of(packageName: string): readonly Asked[] {
    return this.open.filter((asked) => asked.packageName === packageName)
  }

  /** Whether the session still waits for an answer to give. */
  isPending(asked: Asked | undefined): boolean {
    if (asked === undefined || asked.given) return false
    return this.open.includes(asked) && this.#world.clock.now() < asked.deadline
  }

  /** What an app waits for and the session has no answer to. */
  pendingOf(packageName: string): readonly Asked[] {
    return this.of(packageName).filter((asked) => this.isPending(asked))
  }

  /** What is done next gives the session its answer, or may; an app that is away gets it later. */
  give(asked: Asked): void {
    asked.given = true
  }

  /** It did not. */
  keep(asked: Asked): void {
    asked.given = false
  }

  /** An app that hears has the answers it was given. */
  checkGiven(packageName: string): void {
    if (this.#world.appSockets.hearingSince(packageName) === undefined) return
    const late = this.of(packageName).find((asked) => asked.given && !this.#mayBeLost(asked))
    assert(!late, `${packageName} is answered about a ${this.#options.what} at once (${late?.id})`)
  }

  /** The first open request of that name. */
  find(id: string, packageName?: string): Asked | undefined {
    return this.open.find(
      (asked) => asked.id === id && (packageName === undefined || asked.packageName === packageName),
    )
  }

  /** The app has an answer. */
  answered(packageName: string, id: string): void {
    const { what } = this.#options
    const meant = this.of(packageName).filter((asked) => asked.id === id)
    const due = meant.filter((one) => !this.#isEarly(one))
    const asked = due.find((one) => !this.#mayBeLost(one)) ?? due[0] ?? meant[0]
    assert(asked, `${packageName} is answered about a ${what} that it does not wait for (${id})`)
    assert(!this.#isOverdue(asked), `${packageName} is answered about a ${what} in time (${id})`)
    assert(
      !this.#isEarly(asked),
      `${packageName} is answered about a ${what} before there is an answer (${id})`,
    )
    this.settle(asked)
  }

  /** Nobody waits for it any more. */
  settle(asked: Asked): void {
    this.#open = this.#open.filter((other) => other !== asked)
  }

  /** The app is gone, and waits for nothing. */
  drop(packageName: string): void {
    this.#open = this.#open.filter((asked) => asked.packageName !== packageName)
  }

  /** Nobody was forgotten. */
  check(): void {
    for (const asked of this.open)
      assert(
        !this.#isOverdue(asked),
        `${asked.packageName} is answered about a ${this.#options.what} (${asked.id})`,
      )
  }

  /** Nothing is left open. */
  checkAtRest(): void {
    const left = this.open.filter((asked) => !this.#mayBeLost(asked))
    assert.deepEqual(left, [], `no ${this.#options.what} is waited for at rest`)
  }

  /** The app's socket was broken meanwhile, and the session did not know: what it said then is lost. */
  #mayBeLost({ packageName, deadline }: Asked): boolean {
    return (
      this.#options.bySocket && this.#world.appSockets.wasDeaf(packageName, deadline - this.#options.wait)
    )
  }

  /** There can be no answer yet. */
  #isEarly({ given, deadline }: Asked): boolean {
    return this.#options.onlyGiven && !given && this.#world.clock.now() < deadline
  }

  #isOverdue(asked: Asked): boolean {
    const { packageName, deadline } = asked
    const now = this.#world.clock.now()
    if (!this.#options.bySocket) return now > deadline
    if (this.#mayBeLost(asked)) return false
    const since = this.#world.appSockets.hearingSince(packageName)
    return since !== undefined && now > Math.max(deadline, since)
  }
}
