/** Time after which the lease of a dead node expires. */
export const NODE_LEASE_MS = 3_000

/** The purpose of the fingerprint of `AUTH_SECRET` that nodes publish. */
export const NODE_SECRET_PURPOSE = 'node'

/** What a node publishes about itself. */
export interface NodeInfo {
  /** The holder of the node's lease; see `NodeLease`. */
  readonly holder: string
  readonly name: string
  readonly version: string
  /** Identifies `AUTH_SECRET` without revealing it, so that different secrets are noticed. */
  readonly secretId: string
  /** Milliseconds since the start of the process. */
  readonly uptimeMs: number
  readonly sessions: number
  readonly isDraining: boolean
}

/** A node with a valid lease. */
export interface LiveNode extends NodeInfo {
  /** Whether it receives messages on the bus; undefined if unknown. */
  readonly isListening: boolean | undefined
}

/** The leases of nodes in a store that is fast and that may lose everything: Redis. */
export interface SharedLeases {
  /**
   * Acquires or renews a lease.
   * @returns false if another node blocked it
   */
  renew(info: NodeInfo, ms: number): Promise<boolean>
  /**
   * Prevents for a minute that an expired lease is acquired again.
   * @returns false while the lease is held, and while a lost lease may be: until the store has kept leases for `NODE_LEASE_MS`
   */
  block(holder: string): Promise<boolean>
  release(holder: string): Promise<void>
  isHeld(holder: string): Promise<boolean>
  list(): Promise<LiveNode[]>
}

/** Returns the id on the bus of the node that a lease holder belongs to. */
export function nodeIdOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf('.'))
}
