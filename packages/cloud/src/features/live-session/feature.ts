import type { Feature } from '../../feature.ts'
import { AppChanges } from './app-changes.ts'
import type { LiveSessionDeps } from './deps.ts'
import { getLiveSession } from './get-live-session.ts'
import { streamLiveSession } from './stream-live-session.ts'

/** The live session of a user for web pages: which glasses are connected, and which apps run. */
export function createLiveSession(deps: LiveSessionDeps): Feature {
  const appChanges = new AppChanges(deps.changes)
  return {
    name: 'live-session',
    endpoints: [getLiveSession(deps), streamLiveSession({ ...deps, appChanges })],
  }
}
