import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { SharedMessage } from '../../shared-message.ts'
import type { AppMember } from './port.ts'

/** An app session of this user session. It is reachable while its socket is acknowledged. */
export class AppSessionMember implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt: string
  readonly #session: AppSession
  #acknowledged: Peer | undefined

  constructor(session: AppSession, userEmail: string, joinedAt: string) {
    this.packageName = session.packageName
    this.userEmail = userEmail
    this.sessionId = session.sessionId
    this.joinedAt = joinedAt
    this.#session = session
  }

  markAcknowledged(peer: Peer): void {
    this.#acknowledged = peer
  }

  deliver(message: SharedMessage<CloudToApp>): boolean {
    const peer = this.#acknowledged
    if (!peer || this.#session.peer !== peer) return false
    peer.sendShared(message)
    return true
  }
}
