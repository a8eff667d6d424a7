import type { WebhookResponse } from '../../webhooks/index.ts'
import type { App } from './app.ts'
import type { AppStore } from './app-store.ts'

/** How long a server counts as down after a failed call. */
const DOWN_FOR_MS = 5 * 60_000

/** Statuses of a proxy whose upstream server does not respond. */
const GATEWAY_ERRORS = [502, 503, 504]

/** Failed calls that do not prove that the server is down. */
const INCONCLUSIVE_ERRORS = ['TIMEOUT', 'FORBIDDEN_ADDRESS', 'ANSWER_TOO_LONG']

/** Whether an app's server is known to be down (decision C3). */
export function isKnownDown({ unreachableSince }: App, now: number): boolean {
  return unreachableSince !== null && now - unreachableSince < DOWN_FOR_MS
}

/**
 * Records whether an app's server is up, judging by the response to a call.
 * @param app the app as read before the call
 * @returns whether the server is up; undefined if the response is inconclusive
 */
export async function recordServerHealth(
  apps: AppStore,
  app: Pick<App, 'packageName' | 'unreachableSince'>,
  response: WebhookResponse,
  now: number,
): Promise<boolean | undefined> {
  const up = isServerUp(response)
  if (up === undefined) return undefined
  if (app.unreachableSince !== null) await apps.markReachable(app.packageName)
  if (!up) await apps.markUnreachable(app.packageName, now)
  return up
}

/** Undefined if inconclusive: app servers respond once their app is ready, which may take long. */
function isServerUp(response: WebhookResponse): boolean | undefined {
  if (response.ok) return true
  if (response.status !== undefined) return !GATEWAY_ERRORS.includes(response.status)
  return INCONCLUSIVE_ERRORS.includes(response.code) ? undefined : false
}
