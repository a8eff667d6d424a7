import type { Bus } from '../bus/index.ts'
import type { Clock, Timer } from '../time/index.ts'
import type { NodeLeaseStore } from './node-lease-store.ts'
import { type LiveNode, nodeIdOf, type SharedLeases } from './shared-leases.ts'

/** Interval between readings of the leases: the time after which the death of a node is noticed. */
const POLL_INTERVAL_MS = 500

export interface LiveNodesDeps {
  readonly clock: Clock
  readonly shared: Pick<SharedLeases, 'list' | 'isHeld' | 'block'>
  readonly store: Pick<NodeLeaseStore, 'isHeld'>
  readonly bus: Pick<Bus, 'nodeId' | 'dropNode'>
}

/** The nodes with a valid lease, as last read. Reports nodes that are gone to the bus. */
export class LiveNodes {
  readonly #deps: LiveNodesDeps
  #nodes: ReadonlyMap<string, LiveNode> = new Map()
  /** Holders that were found alive although the last reading does not list them. */
  readonly #unlisted = new Set<string>()
  #isStopped = false
  #timer: Timer | undefined

  constructor(deps: LiveNodesDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = this.#deps.clock.after(POLL_INTERVAL_MS, () => void this.#poll())
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  /**
   * Returns whether the lease of a holder is valid in Redis, at most half a second ago, or in the database. Without a
   * connection to Redis the answer is true: whether a node is alive is unknown then, and nothing may be taken over.
   */
  async isAlive(holder: string): Promise<boolean> {
    if (this.#nodes.has(holder)) return true
    const { shared, store } = this.#deps
    const isHeld = (await shared.isHeld(holder).catch(() => true)) || (await store.isHeld(holder))
    if (isHeld) this.#unlisted.add(holder)
    return isHeld
  }

  /** Returns the nodes as last read, by name. */
  list(): readonly LiveNode[] {
    return [...this.#nodes.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Prevents that an expired lease is acquired again. @returns false while it is held */
  block(holder: string): Promise<boolean> {
    return this.#deps.shared.block(holder)
  }

  async #poll(): Promise<void> {
    try {
      const nodes = new Map((await this.#deps.shared.list()).map((node) => [node.holder, node]))
      const last = this.#nodes
      this.#nodes = nodes
      for (const holder of last.keys()) if (!nodes.has(holder)) this.#dropUnlessAlive(holder)
      for (const { holder, isListening } of nodes.values()) if (isListening === false) this.#drop(holder)
      await this.#dropUnlisted()
    } catch {
      // Redis or the database is not available: the last reading remains.
    }
    if (!this.#isStopped) this.start()
  }

  /** Reports nodes that were used after the last reading, or after their lease in Redis had expired. */
  async #dropUnlisted(): Promise<void> {
    for (const holder of this.#unlisted) {
      if (!this.#nodes.has(holder) && (await this.#deps.store.isHeld(holder))) continue
      this.#unlisted.delete(holder)
      this.#dropUnlessAlive(holder)
    }
  }

  /** A node with a newer lease has itself closed what depended on the older one. */
  #dropUnlessAlive(holder: string): void {
    const nodeId = nodeIdOf(holder)
    if (![...this.#nodes.keys()].some((other) => nodeIdOf(other) === nodeId)) this.#drop(holder)
  }

  #drop(holder: string): void {
    const nodeId = nodeIdOf(holder)
    if (nodeId !== this.#deps.bus.nodeId) this.#deps.bus.dropNode(nodeId)
  }
}
