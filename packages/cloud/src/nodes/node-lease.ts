import type { Logger } from 'pino'
import type { Clock, Timer } from '../time/index.ts'
import type { NodeLeaseStore } from './node-lease-store.ts'
import { NODE_LEASE_MS, type NodeInfo, type SharedLeases } from './shared-leases.ts'

/** How long before its expiry the holder stops acting: covers clocks of different speeds. */
const MARGIN_MS = 500

const RENEW_INTERVAL_MS = 750
const RETRY_INTERVAL_MS = 250

/** Time after which a renewal without a response is repeated. */
const RENEW_TIMEOUT_MS = 1_000

export interface NodeLeaseDeps {
  /** Id of this process on the bus. */
  readonly nodeId: string
  readonly clock: Clock
  readonly shared: Pick<SharedLeases, 'renew' | 'release'>
  readonly store: Pick<NodeLeaseStore, 'renew' | 'release'>
  readonly log: Pick<Logger, 'info' | 'warn'>
  info(): Omit<NodeInfo, 'holder'>
}

/** One of the two places where the lease is kept. */
interface Anchor {
  readonly name: string
  renew(holder: string): Promise<boolean>
  release(holder: string): Promise<void>
  /** In milliseconds of the monotonic clock. */
  validUntil: number
  isFailing: boolean
}

/**
 * The lease under which this node owns sessions. It is kept in Redis and in PostgreSQL, and valid while one of the two
 * is: an outage of either affects no session, and another node takes over only what has expired in both. Validity is
 * measured with the monotonic clock, from before the renewal was sent.
 *
 * A lapsed lease is never renewed: its sessions are abandoned, and the node continues as another holder.
 */
export class NodeLease {
  readonly #deps: NodeLeaseDeps
  readonly #anchors: readonly Anchor[]
  readonly #listeners = new Set<() => void>()
  readonly #acquiring: (() => void)[] = []
  #incarnation = 1
  #isHeld = false
  #isStopped = false
  #watch: Timer | undefined

  constructor(deps: NodeLeaseDeps) {
    this.#deps = deps
    const { shared, store, info } = deps
    this.#anchors = [
      anchor('redis', {
        renew: (holder) => shared.renew({ ...info(), holder }, NODE_LEASE_MS),
        release: (holder) => shared.release(holder),
      }),
      anchor('database', {
        renew: async (holder) => {
          await store.renew(holder, NODE_LEASE_MS)
          return true
        },
        release: (holder) => store.release(holder),
      }),
    ]
  }

  /** Identifies this node as the owner of sessions; another value after the lease has lapsed. */
  get holder(): string {
    return `${this.#deps.nodeId}.${this.#incarnation}`
  }

  /** Whether the node may act for its sessions. If not, they are abandoned before this returns. */
  isValid(): boolean {
    if (!this.#isHeld) return false
    if (this.#deps.clock.monotonicNow() < this.#validUntil) return true
    this.#lapse()
    return false
  }

  /** How often the lease has lapsed. */
  get lapses(): number {
    return this.#incarnation - 1
  }

  /** The places where the lease is kept, and whether it can be renewed there. */
  get places(): readonly { readonly name: string; readonly isFailing: boolean }[] {
    return this.#anchors
  }

  /** Adds a listener that abandons what is owned under the lapsed lease. */
  onLapsed(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Starts to acquire and renew the lease; resolves once it is valid. */
  async start(): Promise<void> {
    for (const anchor of this.#anchors) this.#renew(anchor)
    await this.acquired()
  }

  /** Resolves once the lease is valid. */
  async acquired(): Promise<void> {
    if (this.isValid() || this.#isStopped) return
    await new Promise<void>((resolve) => this.#acquiring.push(resolve))
  }

  /** Releases the lease, so that other nodes take over at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#isHeld = false
    this.#watch?.cancel()
    await Promise.allSettled(this.#anchors.map((anchor) => anchor.release(this.holder)))
  }

  get #validUntil(): number {
    return Math.max(...this.#anchors.map(({ validUntil }) => validUntil))
  }

  #renew(anchor: Anchor): void {
    if (this.#isStopped) return
    const { clock } = this.#deps
    const { holder } = this
    const sentAt = clock.monotonicNow()
    let isDone = false
    const next = (ms: number) => {
      if (isDone) return
      isDone = true
      timeout.cancel()
      clock.after(ms, () => this.#renew(anchor))
    }
    const timeout = clock.after(RENEW_TIMEOUT_MS, () => {
      this.#report(anchor, new Error('No response'))
      next(0)
    })
    anchor.renew(holder).then(
      (isRenewed) => {
        this.#renewed(anchor, holder, isRenewed ? sentAt + NODE_LEASE_MS - MARGIN_MS : 0)
        next(RENEW_INTERVAL_MS)
      },
      (error: unknown) => {
        this.#report(anchor, error)
        next(RETRY_INTERVAL_MS)
      },
    )
  }

  #renewed(anchor: Anchor, holder: string, validUntil: number): void {
    // What has lapsed unnoticed, because the process was frozen, must not be revived.
    if (this.#isHeld) this.isValid()
    if (this.#isStopped || holder !== this.holder) return
    if (anchor.isFailing && validUntil > 0) {
      anchor.isFailing = false
      this.#deps.log.info({ in: anchor.name }, 'node: the lease is renewed again')
    }
    anchor.validUntil = Math.max(anchor.validUntil, validUntil)
    if (this.#deps.clock.monotonicNow() >= this.#validUntil) return
    if (!this.#isHeld) {
      this.#isHeld = true
      for (const resolve of this.#acquiring.splice(0)) resolve()
    }
    this.#watchExpiry()
  }

  #watchExpiry(): void {
    this.#watch?.cancel()
    const left = Math.max(0, this.#validUntil - this.#deps.clock.monotonicNow())
    this.#watch = this.#deps.clock.after(left, () => {
      if (this.#isHeld) this.isValid()
    })
  }

  #lapse(): void {
    this.#isHeld = false
    this.#incarnation += 1
    for (const anchor of this.#anchors) anchor.validUntil = 0
    this.#deps.log.warn({}, 'node: the lease has lapsed, sessions are abandoned')
    for (const listener of this.#listeners) listener()
  }

  #report(anchor: Anchor, err: unknown): void {
    if (anchor.isFailing || this.#isStopped) return
    anchor.isFailing = true
    this.#deps.log.warn({ err, in: anchor.name }, 'node: the lease cannot be renewed')
  }
}

function anchor(name: string, actions: Pick<Anchor, 'renew' | 'release'>): Anchor {
  return { name, ...actions, validUntil: 0, isFailing: false }
}
