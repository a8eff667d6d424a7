import type { AdminSession } from '@glasses-cloud/contract'
import type { Page } from '../../db/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { AdminStore } from './admin-store.ts'
import type { NodeList } from './node-list.ts'
import { iso } from './schemas.ts'

/** Collaborators of {@link SessionList}. */
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

  /** Lists sessions by user id; `after` is a user id. */
  async list(page: Page): Promise<AdminSession[]> {
    const { store, nodes } = this.#deps
    const stored = await store.listSessions(page)
    return Promise.all(
      stored.map(async ({ userId, email, startedAt, apps, owner }) => {
        const node = nodes.nameOf(owner)
        const connections = await this.#connections(userId)
        return {
          userId,
          email,
          startedAt: iso(startedAt),
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
