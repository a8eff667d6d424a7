import { type AdminNode, type AdminSession, withoutInvisible } from '@glasses-cloud/contract'
import type { Page } from '../../db/index.ts'
import type { Cluster } from '../../nodes/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import type { AdminStore } from './admin-store.ts'

export interface SessionListDeps {
  readonly store: AdminStore
  readonly sessions: SessionDirectory
  readonly nodes: NodeList
}

/** The live sessions of all nodes, with what is connected to them. */
export class SessionList {
  readonly #deps: SessionListDeps

  constructor(deps: SessionListDeps) {
    this.#deps = deps
  }

  /**
   * Lists sessions by user id; `after` is a user id.
   * @param search part of the e-mail address, the glasses, the name of the node, or a running app
   */
  async list(page: Page, search = ''): Promise<AdminSession[]> {
    const { store, nodes } = this.#deps
    const text = withoutInvisible(search).trim()
    const stored = await store.listSessions(page, { text, owners: nodes.holdersNamed(text.toLowerCase()) })
    return Promise.all(
      stored.map(async ({ userId, email, startedAt, apps, owner }) => {
        const node = nodes.nameOf(owner)
        const connections = await this.#connections(userId)
        return {
          userId,
          email,
          startedAt: toIsoString(startedAt),
          apps: [...apps],
          ...(node !== undefined && { node }),
          ...(connections && { connections }),
        }
      }),
    )
  }

  /** A session whose node is gone or does not answer is listed without its connections. */
  async #connections(userId: string): Promise<AdminSession['connections']> {
    try {
      const activity = await (await this.#deps.sessions.find(userId))?.activity()
      if (activity === undefined) return undefined
      const { hasGlasses, model, appSockets, microphone } = activity
      return {
        glasses: hasGlasses,
        ...(model !== null && { model }),
        appSockets,
        microphone: [...microphone],
      }
    } catch {
      return undefined
    }
  }
}

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

  /** Returns the lease holders of nodes whose name contains a text in lower case; null for the only node. */
  holdersNamed(text: string): (string | null)[] {
    const { cluster, name } = this.#deps
    const matches = (node: string) => node.toLowerCase().includes(text)
    if (cluster === undefined) return matches(name) ? [null] : []
    return cluster.nodes.list().flatMap((node) => (matches(node.name) ? [node.holder] : []))
  }

  /** Returns the name of the node that holds a lease. @param holder null for sessions of the only node */
  nameOf(holder: string | null): string | undefined {
    const { cluster, name } = this.#deps
    if (cluster === undefined) return name
    return cluster.nodes.list().find((node) => node.holder === holder)?.name
  }
}

const toSeconds = (ms: number) => Math.floor(ms / 1_000)
