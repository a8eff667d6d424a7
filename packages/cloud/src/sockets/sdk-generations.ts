import { LruCache } from '../db/index.ts'
import type { AppDirectory, AppServers, SessionApp } from '../session-host/index.ts'
import type { WebhookClient } from '../webhooks/index.ts'

/**
 * What an app's SDK understands: `first` (1.0 to 2.0.2), `second` (2.0.3 to 2.1.28), or `current`, which includes
 * clients that are not built on the SDK (app-socket.md §1.9).
 */
export type SdkGeneration = 'first' | 'second' | 'current'

/** The first version of each newer generation. */
const FIRST_OF_SECOND = [2, 0, 3] as const
const FIRST_OF_CURRENT = [2, 1, 29] as const

/** Timeout of each question; the app waits for its acknowledgement meanwhile. */
const TIMEOUT_MS = 1_000

/** Time after which an app server is asked again, since it may have been updated. */
const REUSE_MS = 60 * 60_000

/** Number of app servers whose generation is kept. */
const MAX_APPS = 1_000

export interface SdkGenerationsDeps {
  readonly apps: Pick<AppDirectory, 'findByPackage'>
  readonly appServers: AppServers
  readonly webhooks: WebhookClient
  /** Milliseconds on a monotonic clock. */
  readonly monotonicNow: () => number
}

interface Answer {
  readonly askedAt: number
  readonly generation: Promise<SdkGeneration>
}

/**
 * Finds out which generation of the SDK an app is built on. Only SDK 3 announces its version. Older ones are told apart
 * by how their server responds to a photo that nobody requested: 2.1.29 keeps requests in the server, older ones in the
 * session, and the oldest have no such endpoint.
 */
export class SdkGenerations {
  readonly #deps: SdkGenerationsDeps
  readonly #answers = new LruCache<Answer>(MAX_APPS)

  constructor(deps: SdkGenerationsDeps) {
    this.#deps = deps
  }

  /** @param announced the version that the client announces, if any */
  async of(packageName: string, announced: string | undefined): Promise<SdkGeneration> {
    const known = announced === undefined ? undefined : generationOf(announced)
    if (known !== undefined) return known
    const app = await this.#deps.apps.findByPackage(packageName)
    if (!app) return 'current'
    const now = this.#deps.monotonicNow()
    const key = `${app.packageName} ${app.publicUrl}`
    const last = this.#answers.get(key)
    if (last && now - last.askedAt < REUSE_MS) return last.generation
    const answer = { askedAt: now, generation: this.#ask(app).catch(() => 'current' as const) }
    this.#answers.set(key, answer)
    return answer.generation
  }

  async #ask(app: SessionApp): Promise<SdkGeneration> {
    const { appServers, webhooks } = this.#deps
    const target = await appServers.webhookTarget(app)
    const health = await webhooks.get(target, '/health', { timeoutMs: TIMEOUT_MS })
    if (!health.ok || !isSdkHealth(health.body, app.packageName)) return 'current'
    const photo = await webhooks.post(target, '/photo-upload', UNREQUESTED_PHOTO, { timeoutMs: TIMEOUT_MS })
    if (photo.ok || photo.status !== 404) return 'current'
    const error = errorIn(photo.body)
    if (error === undefined) return 'first'
    return error.startsWith('No active session') ? 'second' : 'current'
  }
}

/** Reports the failure of a photo with an id that no SDK generates. */
const UNREQUESTED_PHOTO = {
  type: 'photo_error',
  requestId: 'unrequested',
  success: false,
  errorCode: 'UNREQUESTED',
  errorMessage: 'Asks which version of the SDK this is',
}

/** Whether a health response is that of the SDK for the app. */
function isSdkHealth(body: unknown, packageName: string): boolean {
  const { status, app } = (body ?? {}) as { status?: unknown; app?: unknown }
  return status === 'healthy' && app === packageName
}

function errorIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

/** Returns the generation of a version such as `2.1.28` or `3.0.0-hono.8`; undefined if it is not a version. */
export function generationOf(version: string): SdkGeneration | undefined {
  const parts = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:[-+]|$)/.exec(version)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  if (isBefore(parts, FIRST_OF_SECOND)) return 'first'
  return isBefore(parts, FIRST_OF_CURRENT) ? 'second' : 'current'
}

function isBefore(version: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((part, index) => part !== version[index])
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0)
}
