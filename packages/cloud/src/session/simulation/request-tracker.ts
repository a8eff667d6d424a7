import assert from 'node:assert/strict'
import type { Environment } from './environment.ts'

/** A request of an app that was not answered yet. */
export interface TrackedRequest {
  readonly packageName: string
  readonly id: string
  /** When a response is due, in milliseconds of the clock. */
  readonly deadline: number
  /** The app is not notified if the request fails. */
  readonly isSilent: boolean
  /** The session has the response; the app may still have to reconnect to receive it. */
  hasResponse: boolean
}

/** How one kind of request is answered. */
export interface RequestTrackerOptions {
  /** The name of the request kind in assertion messages. */
  readonly kind: string
  readonly timeoutMs: number
  /** The response is sent to the app's socket, so it may be delayed while the socket is closed. */
  readonly needsSocket: boolean
  /** Every response follows a call of `markAnswered`, or the timeout. */
  readonly hasOnlyMarkedResponses: boolean
}

/** A model of the pending requests of all apps: each is answered once and in time while its app runs. */
export class RequestTracker {
  readonly #env: Environment
  readonly #options: RequestTrackerOptions
  /** Oldest first. */
  #pending: TrackedRequest[] = []

  constructor(env: Environment, options: RequestTrackerOptions) {
    this.#env = env
    this.#options = options
  }

  add(packageName: string, id: string, isSilent = false): TrackedRequest {
    const deadline = this.#env.clock.monotonicNow() + this.#options.timeoutMs
    const request = { packageName, id, deadline, isSilent, hasResponse: false }
    this.#pending.push(request)
    return request
  }

  /** The pending requests, oldest first. */
  get pending(): readonly TrackedRequest[] {
    const now = this.#env.clock.monotonicNow()
    this.#pending = this.#pending.filter(({ isSilent, deadline }) => !isSilent || deadline > now)
    return this.#pending
  }

  pendingOf(packageName: string): readonly TrackedRequest[] {
    return this.pending.filter((request) => request.packageName === packageName)
  }

  /** Whether the session has no response to the request yet. */
  isUnanswered(request: TrackedRequest | undefined): boolean {
    if (request === undefined || request.hasResponse) return false
    return this.pending.includes(request) && this.#env.clock.monotonicNow() < request.deadline
  }

  unansweredOf(packageName: string): readonly TrackedRequest[] {
    return this.pendingOf(packageName).filter((request) => this.isUnanswered(request))
  }

  /** Must be called before a step that may cause its response. */
  markAnswered(request: TrackedRequest): void {
    request.hasResponse = true
  }

  /** Reverts `markAnswered` after a step that did not answer the request. */
  unmarkAnswered(request: TrackedRequest): void {
    request.hasResponse = false
  }

  /** Asserts that an acknowledged app received every response that the session has. */
  checkDelivered(packageName: string): void {
    if (this.#env.appSockets.acknowledgedSince(packageName) === undefined) return
    const late = this.pendingOf(packageName).find(
      (request) => request.hasResponse && !this.#mayBeLost(request),
    )
    assert(!late, `${packageName} receives the response to a ${this.#options.kind} immediately (${late?.id})`)
  }

  /** The oldest pending request with the id. */
  find(id: string, packageName?: string): TrackedRequest | undefined {
    return this.pending.find(
      (request) => request.id === id && (packageName === undefined || request.packageName === packageName),
    )
  }

  /** Handles a response that an app received. */
  onResponse(packageName: string, id: string): void {
    const { kind } = this.#options
    const candidates = this.pendingOf(packageName).filter((request) => request.id === id)
    const due = candidates.filter((request) => !this.#isTooEarly(request))
    const request = due.find((one) => !this.#mayBeLost(one)) ?? due[0] ?? candidates[0]
    assert(request, `${packageName} has a pending ${kind} for each response it receives (${id})`)
    assert(!this.#isOverdue(request), `${packageName} receives the response to a ${kind} in time (${id})`)
    assert(
      !this.#isTooEarly(request),
      `${packageName} receives no response to a ${kind} before there is one (${id})`,
    )
    this.remove(request)
  }

  remove(request: TrackedRequest): void {
    this.#pending = this.#pending.filter((other) => other !== request)
  }

  removeAllOf(packageName: string): void {
    this.#pending = this.#pending.filter((request) => request.packageName !== packageName)
  }

  /** Asserts that no response is overdue. */
  check(): void {
    for (const request of this.pending)
      assert(
        !this.#isOverdue(request),
        `${request.packageName} receives a response to its ${this.#options.kind} (${request.id})`,
      )
  }

  /** Asserts that nothing is pending. */
  checkAtRest(): void {
    const left = this.pending.filter((request) => !this.#mayBeLost(request))
    assert.deepEqual(left, [], `no ${this.#options.kind} is pending at rest`)
  }

  /** Whether the response may have been sent to a broken socket that the session did not detect yet. */
  #mayBeLost({ packageName, deadline }: TrackedRequest): boolean {
    return (
      this.#options.needsSocket &&
      this.#env.appSockets.mayHaveLostMessagesSince(packageName, deadline - this.#options.timeoutMs)
    )
  }

  /** Whether the session cannot have a response yet. */
  #isTooEarly({ hasResponse, deadline }: TrackedRequest): boolean {
    return this.#options.hasOnlyMarkedResponses && !hasResponse && this.#env.clock.monotonicNow() < deadline
  }

  #isOverdue(request: TrackedRequest): boolean {
    const { packageName, deadline } = request
    const now = this.#env.clock.monotonicNow()
    if (!this.#options.needsSocket) return now > deadline
    if (this.#mayBeLost(request)) return false
    const since = this.#env.appSockets.acknowledgedSince(packageName)
    return since !== undefined && now > Math.max(deadline, since)
  }
}
