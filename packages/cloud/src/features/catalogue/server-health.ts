import type { WebhookResponse } from '../../webhooks/index.ts'
import type { App } from './app.ts'
import type { AppStore } from './app-store.ts'

/** How long a server found down counts as down, in ms: older knowledge is none. */
const DOWN_FOR_MS = 5 * 60_000

/** What stands in front of a server answers so when nothing is behind it. */
const ABSENT = [502, 503, 504]

/** Failures of a call that say nothing about the server: it was slow, or it was not called at all. */
const NO_NEWS = ['TIMEOUT', 'FORBIDDEN_ADDRESS', 'ANSWER_TOO_LONG']

/** Whether an app's server is known to be down (decision C3). */
export function isKnownDown({ unreachableSince }: App, now: number): boolean {
  return unreachableSince !== null && now - unreachableSince < DOWN_FOR_MS
}

/**
 * Notes what a call of an app's server tells of it; news replace what was known.
 * @param app the app as it was read before the call
 * @returns whether the server is up; nothing where the answer does not tell
 */
export async function recordServerHealth(
  apps: AppStore,
  app: Pick<App, 'packageName' | 'unreachableSince'>,
  answer: WebhookResponse,
  now: number,
): Promise<boolean | undefined> {
  const up = isUp(answer)
  if (up === undefined) return undefined
  if (app.unreachableSince !== null) await apps.markReachable(app.packageName)
  if (!up) await apps.markUnreachable(app.packageName, now)
  return up
}

/** Nothing where the answer does not tell: app servers answer only when their app is ready, which may take long. */
function isUp(answer: WebhookResponse): boolean | undefined {
  if (answer.ok) return true
  if (answer.status !== undefined) return !ABSENT.includes(answer.status)
  return NO_NEWS.includes(answer.code) ? undefined : false
}
