import type { ExportSection } from '../personal-data.ts'
import type { RunningAppStore } from './running-app-store.ts'
import type { UserSessionStore } from './user-session-store.ts'

export { AppStartTraces } from './app-start-traces.ts'
export { ClusterDirectory } from './cluster-directory.ts'
export type { AppDirectory, AppLogFields, AppRecorder, AppServers } from './collaborators.ts'
export { KeyedQueue } from './keyed-queue.ts'
export { isRemoteFailure } from './remote-session-handle.ts'
export { RunningAppStore } from './running-app-store.ts'
export type { SessionDirectory, SessionHandle } from './session-handle.ts'
export {
  OwnedElsewhereError,
  type OwnedPlace,
  SessionOwnership,
  SessionUnavailableError,
} from './session-ownership.ts'
export { SessionAnnouncements } from './session-ports.ts'
export { SessionUpdates } from './session-updates.ts'
export { type HostedSession, handOverSessions, ownedSession, Sessions, type SessionUser } from './sessions.ts'
export { type SessionPlace, UserSessionStore } from './user-session-store.ts'

/** Exports the apps that run for the user, in the order of their package names. */
export function runningAppsExport(running: RunningAppStore): ExportSection {
  return {
    name: 'runningApps',
    tables: ['running_apps'],
    async *facts({ id: userId }) {
      const apps = await running.runningOf(userId)
      apps.sort((one, other) => (one.packageName < other.packageName ? -1 : 1))
      for (const { packageName, since } of apps)
        yield { key: packageName, value: { since: iso(since) }, updatedAt: since }
    },
  }
}

/** Exports the id of the user's live session. */
export function sessionExport(userSessions: UserSessionStore): ExportSection {
  return {
    name: 'session',
    tables: ['user_sessions'],
    async *facts({ id: userId }) {
      const session = await userSessions.findByUser(userId)
      if (session === undefined) return
      const { id: key, createdAt } = session
      yield { key, value: { createdAt: iso(createdAt) }, updatedAt: createdAt }
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
