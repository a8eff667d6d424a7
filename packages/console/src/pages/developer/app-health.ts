import type { AppLogEntry } from '../../api/app-log.ts'
import type { ApiKeyInfo, AppUsageDay, DeveloperApp } from '../../api/developer.ts'

/** What is known about whether an app works. */
export interface AppHealth {
  /** What matters most. */
  readonly verdict: 'works' | 'worked' | 'noKey' | 'unsigned' | 'serverDown' | 'failed' | 'unknown'
  readonly lastStart: AppLogEntry | undefined
  readonly lastError: AppLogEntry | undefined
  /** Whether the app server answered a call of which the log still knows. */
  readonly wasReached: boolean
  readonly sessions: number
  /** Most users on one day. */
  readonly users: number
}

/** How a start ended. */
const START_ENDS: ReadonlySet<string> = new Set(['running', 'failed', 'given_up'])

/**
 * Judges whether an app works: what keeps it from starting first, then its last start.
 * @param log newest first
 */
export function judgeHealth(
  { isServerDown }: Pick<DeveloperApp, 'isServerDown'>,
  keys: readonly Pick<ApiKeyInfo, 'isSigning'>[],
  log: readonly AppLogEntry[],
  days: readonly AppUsageDay[],
): AppHealth {
  const lastStart = log.find(({ kind, event }) => kind === 'start' && START_ENDS.has(event))
  const sessions = days.reduce((sum, day) => sum + day.sessions, 0)
  const verdict = () => {
    if (keys.length === 0) return 'noKey'
    if (!keys.some(({ isSigning }) => isSigning)) return 'unsigned'
    if (isServerDown) return 'serverDown'
    if (lastStart === undefined) return sessions > 0 ? 'worked' : 'unknown'
    return lastStart.event === 'running' ? 'works' : 'failed'
  }
  return {
    verdict: verdict(),
    lastStart,
    lastError: log.find(({ level }) => level === 'error'),
    wasReached: log.some(({ kind, status }) => kind === 'webhook' && status !== undefined),
    sessions,
    users: Math.max(0, ...days.map(({ users }) => users)),
  }
}
