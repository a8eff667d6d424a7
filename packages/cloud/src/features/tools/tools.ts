import { randomUUID } from 'node:crypto'
import { readToolArguments, selectValidTools, type Tool } from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { ApiKeyStore, User } from '../../identity/index.ts'
import type { Clock } from '../../time/index.ts'
import type { WebhookClient, WebhookResponse } from '../../webhooks/index.ts'
import { type App, type Catalogue, webhookTarget } from '../catalogue/index.ts'

export interface ToolsDeps {
  readonly catalogue: Catalogue
  readonly apiKeys: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly clock: Clock
  /** Aborts pending webhook calls at shutdown. */
  readonly signal: AbortSignal
  /** Timeout of a call including its retry; 20,000 ms if absent. */
  readonly callMs?: number
}

export interface ToolCall {
  readonly toolId: string
  readonly toolParameters: Readonly<Record<string, unknown>>
}

export interface ToolReply {
  /** The reply of the app; null if it did not handle the call. */
  readonly reply: unknown
  /** The arguments that the tool does not declare, which the app did not receive. */
  readonly ignored: readonly string[]
}

export interface ToolOfApp extends Tool {
  readonly appPackageName: string
}

const RETRY_DELAY_MS = 1_000

/** Errors before the request was sent, after which a retry cannot repeat an effect. */
const CONNECTION_ERRORS = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** Tools of apps that assistants call; the apps need not run (app-socket.md §3.3). */
export class Tools {
  readonly #deps: ToolsDeps

  constructor(deps: ToolsDeps) {
    this.#deps = deps
  }

  /** Returns the tools of the user's apps, ordered by package name. */
  async listByUser(user: User): Promise<ToolOfApp[]> {
    const apps = await this.#deps.catalogue.listInstalled(user)
    return apps.flatMap(({ tools, packageName }) =>
      selectValidTools(tools).map((tool) => ({ ...tool, appPackageName: packageName })),
    )
  }

  /**
   * Calls a tool of an app that the user has.
   * @throws Fault if the user does not have the app, the tool is unknown, an argument is invalid, or the app server fails
   */
  async call(user: User, app: App, { toolId, toolParameters }: ToolCall): Promise<ToolReply> {
    const { catalogue, clock } = this.#deps
    if (!catalogue.isSystemApp(app.packageName) && !(await catalogue.hasInstalled(user, app)))
      throw fault('TOOLS_FORBIDDEN')
    const tool = selectValidTools(app.tools).find(({ id }) => id === toolId)
    if (!tool) throw fault('TOOL_NOT_FOUND')
    const reading = readToolArguments(tool, toolParameters)
    if (!reading.ok) throw fault('BAD_REQUEST', { message: reading.problem })
    const { args, ignored } = reading
    const timestamp = new Date(clock.now()).toISOString()
    const body = { toolId, toolParameters: args, userId: user.email, timestamp }
    return { reply: readReply(await this.#post(app, body)), ignored }
  }

  /** Retries once, within the timeout, if the connection failed or the app server returned a 5xx status. */
  async #post(app: App, body: object): Promise<WebhookResponse> {
    const { apiKeys, webhooks, clock, signal, callMs = 20_000 } = this.#deps
    const target = await webhookTarget(apiKeys, app)
    const deadline = clock.monotonicNow() + callMs
    // Both attempts have the same id, so that an app can detect the repetition.
    const messageId = `msg_${randomUUID()}`
    const post = () =>
      webhooks.post(target, '/tool', body, {
        timeoutMs: deadline - clock.monotonicNow(),
        signal,
        messageId,
        kind: 'tool',
      })
    const response = await post()
    if (response.ok || !isRetryable(response) || clock.monotonicNow() + RETRY_DELAY_MS >= deadline)
      return response
    await new Promise<void>((resolve) => void clock.after(RETRY_DELAY_MS, resolve))
    return signal.aborted || clock.monotonicNow() >= deadline ? response : post()
  }
}

function isRetryable({ code, status }: WebhookResponse & { ok: false }): boolean {
  return status === undefined ? CONNECTION_ERRORS.includes(code) : status >= 500
}

function readReply(response: WebhookResponse): unknown {
  if (!response.ok) {
    const timedOut = response.code === 'TIMEOUT'
    throw fault(timedOut ? 'TOOL_TIMEOUT' : 'TOOL_FAILED', { cause: response.message })
  }
  const { body } = response
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== 'success')
    throw fault('TOOL_FAILED', { cause: 'The app server returned no reply' })
  return 'reply' in body ? body.reply : null
}
