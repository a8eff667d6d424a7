import type { ChangeFeed } from '../../db/index.ts'
import type { LoginStore, UserStore } from '../../identity/index.ts'
import type { Clock } from '../../session/index.ts'
import type { SessionAnnouncements, SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the feature. */
export interface LiveSessionDeps {
  readonly sessions: SessionDirectory
  readonly announcements: SessionAnnouncements
  readonly changes: ChangeFeed
  readonly users: UserStore
  readonly logins: LoginStore
  readonly clock: Clock
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}
