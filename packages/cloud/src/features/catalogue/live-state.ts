import type { ConnectedGlasses } from '@glasses-cloud/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** State of the user's live session that lists of apps show. */
export interface LiveState {
  /** The connected glasses; null without glasses of a known model (decision C6). */
  readonly glasses: ConnectedGlasses | null
  isRunning(packageName: string): boolean
}

const NO_SESSION: LiveState = { glasses: null, isRunning: () => false }

/**
 * Reads the state of the user's live session. A session that ends meanwhile is treated as missing, so that lists do not fail.
 */
export async function readLiveState(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<LiveState> {
  const session = await sessions.find(user.id)
  if (session === undefined) return NO_SESSION
  try {
    // A node of the previous version does not return the glasses: the compatibility is then not checked.
    const glasses = session.glasses().catch(() => null)
    const [connected, state] = await Promise.all([glasses, session.appState()])
    const running = new Set(state.activeApps)
    return { glasses: connected, isRunning: (packageName) => running.has(packageName) }
  } catch (error) {
    log.warn({ err: error }, 'catalogue: session state could not be read')
    return NO_SESSION
  }
}
