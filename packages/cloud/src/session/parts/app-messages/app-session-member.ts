import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { SharedMessage } from '../../shared-message.ts'
import type { SessionContext } from '../part.ts'
import type { AppMember } from './port.ts'

/** An app session of this user session. It is reachable while its socket is acknowledged. */
export class AppSessionMember implements AppMember {
  readonly packageName: string
  readonly userEmail: string
  readonly sessionId: string
  readonly joinedAt: string
  readonly #session: AppSession
  readonly #guard: SessionContext['guard']
  #acknowledged: Peer | undefined

  constructor(session: AppSession, { userEmail, timestamp, guard }: SessionContext) {
    this.packageName = session.packageName
    this.userEmail = userEmail
    this.#guard = guard
    this.sessionId = session.sessionId
    this.joinedAt = timestamp()
    this.#session = session
  }

  markAcknowledged(peer: Peer): void {
    this.#acknowledged = peer
  }

  deliver(message: SharedMessage<CloudToApp>): boolean {
    const peer = this.#acknowledged
    if (!peer || this.#session.peer !== peer) return false
    // Other sessions call this method: a failure must not reach them.
    this.#guard(() => peer.sendShared(message))
    return true
  }
}
