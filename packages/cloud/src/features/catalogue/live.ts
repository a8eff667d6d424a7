import type { Capabilities } from '@glasses-cloud/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** What a user's live session adds to lists of apps. */
export interface LiveView {
  /** Of the connected glasses; null while none of a known model are (decision C6). */
  readonly capabilities: Capabilities | null
  isRunning(packageName: string): boolean
}

const nothingLive: LiveView = { capabilities: null, isRunning: () => false }

/**
 * Asks the user's live session, if there is one. A session that ends while it is asked is none: lists do not fail
 * for it.
 */
export async function liveView(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<LiveView> {
  const session = await sessions.find(user.id)
  if (session === undefined) return nothingLive
  try {
    const [capabilities, state] = await Promise.all([session.capabilities(), session.appState()])
    const running = new Set(state.activeApps)
    return { capabilities, isRunning: (packageName) => running.has(packageName) }
  } catch (error) {
    log.warn({ err: error }, 'a live session did not say what it runs')
    return nothingLive
  }
}
