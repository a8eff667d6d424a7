import type { World } from './world.ts'

/** What a start or stop requested, and what is known about its effect. */
interface AppWish {
  /** The number of starts and stops that were requested. */
  requests: number
  /** Those that are not answered. */
  pending: number
  /** Whether the app may be running: a start was requested, and no later stop was acknowledged. */
  mayRun: boolean
  /** Whether the app must be stored as running: a start was acknowledged, and no later stop was requested. */
  mustRun: boolean
}

/** Records what is visible from outside, and asserts the invariants that concern more than one moment. */
export class Ledger {
  readonly #world: World
  /** The newest epoch in which a node acted for each session, and since when. */
  readonly #acting = new Map<string, { readonly epoch: number; readonly since: number }>()
  /** How often each app received each event. */
  readonly #received = new Map<string, number>()
  readonly #wishes = new Map<string, AppWish>()
  /** How often each app was asked for a session since its last one ended or a start was requested. */
  readonly #sessionRequests = new Map<string, { readonly sessionId: string; readonly count: number }>()
  #failure: Error | undefined

  constructor(world: World) {
    this.#world = world
  }

  /** Throws the first violation. They are recorded because product code catches exceptions. */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  /** Records a violation. */
  fail(message: string): void {
    this.#failure ??= new Error(message)
  }

  assert(condition: boolean, message: string): void {
    if (!condition) this.fail(message)
  }

  /**
   * A node acted for a session: it wrote, called a webhook, or sent a frame. Nothing of an older epoch may leave a node
   * after a newer one has acted.
   * @param at when it left the node
   */
  acted(userSessionId: string, epoch: number, what: string, at = this.#world.now): void {
    const acting = this.#acting.get(userSessionId)
    if (acting === undefined || epoch > acting.epoch) this.#acting.set(userSessionId, { epoch, since: at })
    else if (epoch < acting.epoch && at > acting.since)
      this.fail(`${what} in epoch ${epoch} of ${userSessionId.slice(0, 4)} after epoch ${acting.epoch} acted`)
  }

  /** An app received an event of a user. */
  received(userId: string, packageName: string, eventId: string): void {
    const key = `${userId} ${packageName} ${eventId}`
    const count = (this.#received.get(key) ?? 0) + 1
    this.#received.set(key, count)
    this.assert(count === 1, `${packageName} received ${eventId} of ${userId} ${count} times`)
  }

  hasReceived(userId: string, packageName: string, eventId: string): boolean {
    return this.#received.has(`${userId} ${packageName} ${eventId}`)
  }

  wish(userId: string, packageName: string): AppWish {
    const key = `${userId} ${packageName}`
    let wish = this.#wishes.get(key)
    if (!wish) {
      wish = { requests: 0, pending: 0, mayRun: false, mustRun: false }
      this.#wishes.set(key, wish)
    }
    return wish
  }

  /** An app was asked to open its session. @returns how often beyond the starts that were requested */
  sessionRequested(userId: string, packageName: string, sessionId: string): number {
    const key = `${userId} ${packageName}`
    const last = this.#sessionRequests.get(key)
    const count = last && ['', sessionId].includes(last.sessionId) ? last.count + 1 : 1
    this.#sessionRequests.set(key, { sessionId, count })
    this.assert(this.wish(userId, packageName).mayRun, `${packageName} was started, but nobody requested it`)
    return count
  }

  /** A start was requested: the app may be asked for a session once more. */
  startRequested(userId: string, packageName: string): void {
    const key = `${userId} ${packageName}`
    const { sessionId = '', count = 0 } = this.#sessionRequests.get(key) ?? {}
    this.#sessionRequests.set(key, { sessionId, count: count - 1 })
  }

  /** The app session ended: it may be asked for a session again. */
  appEnded(userId: string, packageName: string): void {
    this.#sessionRequests.delete(`${userId} ${packageName}`)
  }
}
