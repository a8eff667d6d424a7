import type { Bus } from '../bus/index.ts'
import { createRemoteHandle, type RemoteHandleDeps, serveRemoteCalls } from './remote-session-handle.ts'
import type { SessionDirectory, SessionHandle } from './session-handle.ts'
import type { OwnedPlace, SessionOwnership } from './session-ownership.ts'
import type { Sessions } from './sessions.ts'

export interface ClusterDirectoryDeps {
  readonly sessions: Sessions
  readonly ownership: SessionOwnership
  readonly bus: Bus
  nodeIdOf(holder: string): string
}

/**
 * Finds the live sessions of all nodes: those of this one in memory, others by their owner in the database. It answers the
 * commands of other nodes, and abandons the sessions of this node once its lease has lapsed.
 */
export class ClusterDirectory implements SessionDirectory {
  readonly #deps: ClusterDirectoryDeps

  constructor(deps: ClusterDirectoryDeps) {
    this.#deps = deps
    const { bus, sessions, ownership } = deps
    serveRemoteCalls(bus, sessions, () => ownership.lease.isValid())
    ownership.lease.onLapsed(() => sessions.abandon())
  }

  async find(userId: string): Promise<SessionHandle | undefined> {
    const { sessions, ownership } = this.#deps
    // Without a valid lease, the sessions of this node are abandoned by this check.
    if (ownership.lease.isValid()) {
      const local = await sessions.find(userId)
      if (local) return local
    }
    return this.#remote(await ownership.locate(userId))
  }

  async findBySessionId(userSessionId: string): Promise<SessionHandle | undefined> {
    const { sessions, ownership } = this.#deps
    if (ownership.lease.isValid()) {
      const local = await sessions.findBySessionId(userSessionId)
      if (local) return local
    }
    return this.#remote(await ownership.locateById(userSessionId))
  }

  appChanged(packageName: string): Promise<void> {
    return this.#deps.sessions.appChanged(packageName)
  }

  accessChanged(userId: string): Promise<void> {
    return this.#deps.sessions.accessChanged(userId)
  }

  #remote(place: OwnedPlace | undefined): SessionHandle | undefined {
    const { bus, nodeIdOf, ownership } = this.#deps
    const deps: RemoteHandleDeps = { bus, nodeIdOf, relocate: ({ userId }) => ownership.locate(userId) }
    return place && createRemoteHandle(place, deps)
  }
}
