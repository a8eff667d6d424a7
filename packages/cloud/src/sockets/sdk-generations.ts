import { LruCache } from '../db/index.ts'
import type { AppDefinition } from '../session/index.ts'
import type { AppDirectory, AppServers } from '../session-host/index.ts'
import { MultipartForm, type WebhookClient, type WebhookResponse } from '../webhooks/index.ts'

/**
 * What an app's client understands: the SDK `first` (1.0 to 2.0.2), `second` (2.0.3 to 2.1.28), `current` or `mini`
 * (`MiniAppServer` of SDK 3), or `other` software, whose server responds otherwise than any SDK (app-socket.md §1.9).
 */
export type SdkGeneration = (typeof SDK_GENERATIONS)[number]

const SDK_GENERATIONS = ['first', 'second', 'current', 'mini', 'other'] as const

/** Whether this version knows a generation, which another node names. */
export function isSdkGeneration(name: string): name is SdkGeneration {
  return SDK_GENERATIONS.some((generation) => generation === name)
}

/** The first version of each newer generation. */
const FIRST_OF_SECOND = [2, 0, 3] as const
const FIRST_OF_CURRENT = [2, 1, 29] as const
const FIRST_OF_MINI = [3] as const

/** Timeout of each question; the app waits for its acknowledgement meanwhile. */
const TIMEOUT_MS = 1_000

/** Time after which an app server is asked again, since it may have been updated. */
const REUSE_MS = 60 * 60_000

/** The same for the current SDK, which has no reason to be replaced by an older one. */
const REUSE_CURRENT_MS = 24 * REUSE_MS

/** The same for a server that did not respond. */
const RETRY_MS = 60_000

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
  /** Until when the answer is reused, on the monotonic clock. */
  until: number
  readonly generation: Promise<SdkGeneration>
}

/**
 * Finds out which generation of the SDK an app is built on. Only `MiniAppServer` of SDK 3 announces its version. Others
 * are told apart by how their server responds to a photo that nobody requested: 2.1.29 keeps requests in the server,
 * older ones in the session, and the oldest have no such endpoint. No version logs an error for it (CMP-10).
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
    if (last && now < last.until) return last.generation
    const generation = this.#ask(app).catch(() => undefined)
    const answer = { until: now + REUSE_MS, generation: generation.then((found) => found ?? 'current') }
    this.#answers.set(key, answer)
    const found = await generation
    if (found === undefined) answer.until = now + RETRY_MS
    if (found === 'current') answer.until = now + REUSE_CURRENT_MS
    return answer.generation
  }

  /** @returns undefined if the server does not respond */
  async #ask(
    app: Pick<AppDefinition, 'id' | 'packageName' | 'publicUrl'>,
  ): Promise<SdkGeneration | undefined> {
    const { appServers, webhooks } = this.#deps
    const target = await appServers.webhookTarget(app)
    const get = (path: string) => webhooks.get(target, path, { timeoutMs: TIMEOUT_MS })
    const health = await get('/health')
    if (!isAnswered(health)) return undefined
    if (!isSdkHealth(health, app.packageName)) {
      // Developers may switch the health check off, but not this endpoint.
      const tool = await get('/tool')
      if (!isAnswered(tool)) return undefined
      if (!isSdkTool(tool)) return 'other'
    }
    const form = new MultipartForm(UNREQUESTED_PHOTO)
    const photo = await webhooks.postForm(target, '/photo-upload', form, { timeoutMs: TIMEOUT_MS })
    if (!isAnswered(photo)) return undefined
    if (photo.ok || photo.status !== 404) return 'current'
    const error = errorIn(photo.body)
    if (error === undefined) return 'first'
    return error.startsWith('No active session') ? 'second' : 'current'
  }
}

/** Reports the failure of a photo with an id that no SDK generates, and whose meaning developers read in their logs. */
const UNREQUESTED_PHOTO = {
  type: 'photo_error',
  requestId: 'sdk-version-check',
  success: 'false',
  errorCode: 'SDK_VERSION_CHECK',
  errorMessage: 'Not a failure: the cloud asks which version of the SDK this is',
}

/** Whether the app server itself responded, rather than a proxy in front of it or nothing. */
function isAnswered(response: WebhookResponse): boolean {
  return response.ok || (response.status !== undefined && !response.retryable)
}

/** Whether a health response is that of the SDK for the app. */
function isSdkHealth(response: WebhookResponse, packageName: string): boolean {
  const { status, app } = (response.body ?? {}) as { status?: unknown; app?: unknown }
  return response.ok && status === 'healthy' && app === packageName
}

/** Whether a response to `GET /tool` is that of the SDK, which is the same in all versions. */
function isSdkTool(response: WebhookResponse): boolean {
  const { status, reply } = (response.body ?? {}) as { status?: unknown; reply?: unknown }
  return response.ok && status === 'success' && reply === 'Hello, world!'
}

function errorIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

/** Returns the generation of an announced version such as `2.1.28` or `3.0.0-hono.8`; undefined if it is not a version. */
export function generationOf(version: string): SdkGeneration | undefined {
  const parts = /^(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:[-+]|$)/.exec(version)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  if (isBefore(parts, FIRST_OF_SECOND)) return 'first'
  if (isBefore(parts, FIRST_OF_CURRENT)) return 'second'
  return isBefore(parts, FIRST_OF_MINI) ? 'current' : 'mini'
}

function isBefore(version: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((part, index) => part !== version[index])
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0)
}
