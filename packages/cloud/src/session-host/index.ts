export { AppStartTraces } from './app-start-traces.ts'
export { ClusterDirectory } from './cluster-directory.ts'
export type {
  AppDirectory,
  AppLogFields,
  AppRecorder,
  AppServers,
} from './collaborators.ts'
export { handOverSessions } from './hand-over.ts'
export { KeyedQueue } from './keyed-queue.ts'
export { runningAppsExport, sessionExport } from './personal-data.ts'
export { isRemoteFailure } from './remote-session-handle.ts'
export { RunningAppStore } from './running-app-store.ts'
export { SessionAnnouncements } from './session-announcements.ts'
export type { SessionDirectory, SessionHandle } from './session-handle.ts'
export {
  OwnedElsewhereError,
  type OwnedPlace,
  SessionOwnership,
  SessionUnavailableError,
} from './session-ownership.ts'
export { SessionUpdates } from './session-updates.ts'
export {
  type HostedSession,
  ownedSession,
  Sessions,
  type SessionUser,
} from './sessions.ts'
export { type SessionPlace, UserSessionStore } from './user-session-store.ts'
