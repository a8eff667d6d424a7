import { type Clock, toIsoString } from '../../time/index.ts'
import type { SocketLimits } from '../limits.ts'
import type { SocketBudgets } from '../socket-budget.ts'
import type { WsPeer } from '../ws-peer.ts'

/** How often dropped messages are reported. */
const REPORT_INTERVAL_MS = 1_000

export interface RelayBudgetDeps {
  readonly clock: Clock
  readonly limits: SocketLimits
  /** The budgets that sockets of this node use as well. */
  readonly budgets: SocketBudgets
}

/**
 * What the user of a socket on another node may send. The node with the socket limits it too, but only the owner of the
 * session sees the sockets on all nodes: reconnecting to another node does not refill the budget (decision L2).
 */
export class RelayBudget {
  readonly #deps: RelayBudgetDeps
  readonly #key: string
  readonly #errorType: 'connection_error' | 'tpa_connection_error'
  readonly #messages: ReturnType<SocketBudgets['acquire']>['messages']
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(deps: RelayBudgetDeps, key: string, errorType: 'connection_error' | 'tpa_connection_error') {
    this.#deps = deps
    this.#key = key
    this.#errorType = errorType
    this.#messages = deps.budgets.acquire(key).messages
  }

  /** Charges a message. @returns false if it must be dropped, which is reported once a second */
  take(bytes: number, peer: WsPeer): boolean {
    const { clock, limits } = this.#deps
    if (this.#messages.take(Math.max(1, Math.ceil(bytes / limits.messageBytes)))) return true
    const now = clock.monotonicNow()
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return false
    this.#reportedAt = now
    const message = `More than ${limits.messagesPerSecond} messages a second; the excess was dropped`
    const error = { code: 'RATE_LIMITED', message, timestamp: toIsoString(clock.now()) } as const
    peer.send({ type: this.#errorType, ...error })
    return false
  }

  release(): void {
    this.#deps.budgets.release(this.#key)
  }
}
