import { LruCache } from '../../db/index.ts'
import type { AppServers } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { App } from './app.ts'

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
    const last = this.#checks.get(app.packageName)
    if (last && now - last.startedAt < REUSE_MS) return last.result
    const check = { startedAt: now, result: this.#ask(app) }
    this.#checks.set(app.packageName, check)
    return check.result
  }

  async #ask(app: App): Promise<boolean> {
    const { appServers, webhooks } = this.#deps
    const response = await webhooks.get(await appServers.webhookTarget(app), '/health', {
      timeoutMs: TIMEOUT_MS,
    })
    return (await appServers.recordServerHealth(app, response)) === true
  }
}
