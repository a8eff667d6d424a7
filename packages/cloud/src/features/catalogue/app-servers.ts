import { LruCache } from '../../db/index.ts'
import type { ApiKeyStore } from '../../identity/index.ts'
import type { AppServers } from '../../session-host/index.ts'
import type { WebhookClient, WebhookResponse, WebhookTarget } from '../../webhooks/index.ts'
import type { App } from './app.ts'
import type { AppStore } from './app-store.ts'

/** Returns the base URL of an app's server and the keys that sign calls to it. */
export async function webhookTarget(
  apiKeys: ApiKeyStore,
  { id, publicUrl }: Pick<App, 'id' | 'publicUrl'>,
): Promise<WebhookTarget> {
  return { publicUrl, signingKeys: await apiKeys.signingKeys(id) }
}

/** How long a server counts as down after a failed call. */
const DOWN_FOR_MS = 5 * 60_000

/** Statuses of a proxy whose upstream server does not respond. */
const GATEWAY_ERRORS = [502, 503, 504]

/** Failed calls that do not prove that the server is down. */
const INCONCLUSIVE_ERRORS = ['TIMEOUT', 'FORBIDDEN_ADDRESS', 'NO_ADDRESS', 'ANSWER_TOO_LONG']

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

/** Timeout of a check; a phone waits for it. */
const TIMEOUT_MS = 2_000

/** Time for which the result of a check is reused. */
const REUSE_MS = 3_000

/** Number of apps whose last result is kept. */
const MAX_RESULTS = 1_000

export interface HealthChecksDeps {
  readonly appServers: AppServers
  readonly webhooks: WebhookClient
  /** Milliseconds on a monotonic clock. */
  readonly monotonicNow: () => number
}

interface Check {
  readonly startedAt: number
  readonly result: Promise<boolean>
}

/**
 * Asks app servers whether they respond (PHN-16). Checks of one app within a few seconds share one request, because
 * anyone may ask for them.
 */
export class HealthChecks {
  readonly #deps: HealthChecksDeps
  readonly #checks = new LruCache<Check>(MAX_RESULTS)

  constructor(deps: HealthChecksDeps) {
    this.#deps = deps
  }

  /** Whether the app's server responds in time with anything but a gateway error. */
  async isHealthy(app: App): Promise<boolean> {
    const now = this.#deps.monotonicNow()
    const key = `${app.packageName} ${app.publicUrl}`
    const last = this.#checks.get(key)
    if (last && now - last.startedAt < REUSE_MS) return last.result
    const check = { startedAt: now, result: this.#ask(app) }
    this.#checks.set(key, check)
    return check.result
  }

  async #ask(app: App): Promise<boolean> {
    const { appServers, webhooks } = this.#deps
    const response = await webhooks.get(await appServers.webhookTarget(app), '/health', {
      timeoutMs: TIMEOUT_MS,
      kind: 'health',
    })
    return (await appServers.recordServerHealth(app, response)) === true
  }
}
