import type { LiveSession } from '@glasses-cloud/contract'
import type { SessionDirectory } from '../../session-host/index.ts'

const NO_SESSION: LiveSession = { isPhoneConnected: false, glasses: null, runningApps: [], startingApps: [] }

/** Reads the live session of a user, on whichever node it is. @throws BusError if that node cannot be reached */
export async function readLiveSession(sessions: SessionDirectory, userId: string): Promise<LiveSession> {
  const session = await sessions.find(userId)
  return session === undefined ? NO_SESSION : session.overview()
}
