import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { AppMember } from './port.ts'

/** An app of this session as others see it. It takes messages while its socket has its acknowledgement. */
export class AppSessionMember implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt: string
  readonly #session: AppSession
  #acknowledged: Peer | undefined

  constructor(session: AppSession, userId: string, joinedAt: string) {
    this.packageName = session.packageName
    this.userEmail = userId
    this.sessionId = session.sessionId
    this.joinedAt = joinedAt
    this.#session = session
  }

  /** The socket has its acknowledgement. */
  markAcknowledged(peer: Peer): void {
    this.#acknowledged = peer
  }

  deliver(message: CloudToApp): boolean {
    const peer = this.#acknowledged
    if (!peer || this.#session.peer !== peer) return false
    peer.send(message)
    return true
  }
}
