import type { AdminNode } from '@glasses-cloud/contract'
import type { Cluster } from '../../nodes/index.ts'
import type { Clock } from '../../time/index.ts'

/** Collaborators of {@link NodeList}. */
export interface NodeListDeps {
  /** Undefined if this is the only node. */
  readonly cluster: Pick<Cluster, 'nodes'> | undefined
  readonly clock: Clock
  readonly name: string
  readonly version: string
  readonly liveSessions: () => number
}

/** The nodes of the cloud. */
export class NodeList {
  readonly #deps: NodeListDeps
  readonly #startedAt: number

  constructor(deps: NodeListDeps) {
    this.#deps = deps
    this.#startedAt = deps.clock.monotonicNow()
  }

  list(): AdminNode[] {
    const { cluster, clock, name, version, liveSessions } = this.#deps
    if (cluster === undefined) {
      const uptimeSeconds = toSeconds(clock.monotonicNow() - this.#startedAt)
      return [{ name, version, uptimeSeconds, sessions: liveSessions(), isDraining: false }]
    }
    return cluster.nodes.list().map(({ uptimeMs, ...node }) => ({
      name: node.name,
      version: node.version,
      uptimeSeconds: toSeconds(uptimeMs),
      sessions: node.sessions,
      isDraining: node.isDraining,
    }))
  }

  /** Returns the name of the node that holds a lease. @param holder null for sessions of the only node */
  nameOf(holder: string | null): string | undefined {
    const { cluster, name } = this.#deps
    if (cluster === undefined) return name
    return cluster.nodes.list().find((node) => node.holder === holder)?.name
  }
}

const toSeconds = (ms: number) => Math.floor(ms / 1_000)
