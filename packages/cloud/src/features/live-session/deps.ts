import type { ChangeFeed } from '../../db/index.ts'
import type { CurrentUserDeps } from '../../http/auth/index.ts'
import type { SessionAnnouncements, SessionDirectory } from '../../session-host/index.ts'

/** Collaborators of the feature. */
export interface LiveSessionDeps extends CurrentUserDeps {
  readonly sessions: SessionDirectory
  readonly announcements: SessionAnnouncements
  readonly changes: ChangeFeed
  /** Ends streams when the cloud shuts down. */
  readonly signal: AbortSignal
}
