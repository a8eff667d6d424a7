import { randomUUID } from 'node:crypto'
import {
  selectValidTools,
  type Tool,
  type ToolArguments,
  validateToolArguments,
} from '@glasses-cloud/contract'
import { fault } from '../../http/fault.ts'
import type { ApiKeyStore, User } from '../../identity/index.ts'
import type { Clock } from '../../session/index.ts'
import type { WebhookClient, WebhookResponse } from '../../webhooks/index.ts'
import { type App, type Catalogue, webhookTarget } from '../catalogue/index.ts'

/** What the tools of apps work with. */
export interface ToolsParts {
  readonly catalogue: Catalogue
  readonly apiKeys: ApiKeyStore
  readonly webhooks: WebhookClient
  readonly clock: Clock
  /** Ends the calls under way when the process goes down. */
  readonly signal: AbortSignal
  /** How long a call may take with everything, the second try included, in ms; 20,000 if absent. */
  readonly callMs?: number
}

/** The call of a tool. */
export interface ToolCall {
  readonly toolId: string
  readonly toolParameters: ToolArguments
}

/** A tool among those of several apps. */
export interface ToolOfApp extends Tool {
  readonly appPackageName: string
}

/** How long a second try waits, in ms. */
const RETRY_MS = 1_000

/** Failures before anything was sent: whoever tries again does nothing twice. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** What apps can do for an assistant, whether they run or not (app-socket.md §3.3). */
export class Tools {
  readonly #parts: ToolsParts

  constructor(parts: ToolsParts) {
    this.#parts = parts
  }

  /** The tools of everything a user has, in the order of the apps' package names. */
  async ofUser(user: User): Promise<ToolOfApp[]> {
    const apps = await this.#parts.catalogue.installedBy(user)
    return apps.flatMap(({ tools, packageName }) =>
      selectValidTools(tools).map((tool) => ({ ...tool, appPackageName: packageName })),
    )
  }

  /**
   * Calls a tool of an app for a user who has the app.
   * @returns what the app replied; null if it did not handle the call
   * @throws Fault where the user has not got the app, the app no such tool, the tool no such parameters; or where the
   *   app's server fails
   */
  async call(user: User, app: App, { toolId, toolParameters }: ToolCall): Promise<unknown> {
    const { catalogue, clock } = this.#parts
    if (!catalogue.isSystemApp(app.packageName) && !(await catalogue.hasInstalled(user, app)))
      throw fault('TOOLS_FORBIDDEN')
    const tool = selectValidTools(app.tools).find(({ id }) => id === toolId)
    if (!tool) throw fault('TOOL_NOT_FOUND')
    const problem = validateToolArguments(tool, toolParameters)
    if (problem !== undefined) throw fault('BAD_REQUEST', { message: problem })
    const timestamp = new Date(clock.now()).toISOString()
    return replyIn(await this.#post(app, { toolId, toolParameters, userId: user.email, timestamp }))
  }

  /** Tries once more where the call did not arrive, or the app's server says that it failed, while there is time. */
  async #post(app: App, body: object): Promise<WebhookResponse> {
    const { apiKeys, webhooks, clock, signal, callMs = 20_000 } = this.#parts
    const target = await webhookTarget(apiKeys, app)
    const deadline = clock.now() + callMs
    // Both tries have one id, by which an app can tell that it did what is asked already.
    const messageId = `msg_${randomUUID()}`
    const post = () =>
      webhooks.post(target, '/tool', body, { timeoutMs: deadline - clock.now(), signal, messageId })
    const answer = await post()
    if (answer.ok || !mayTryAgain(answer) || clock.now() + RETRY_MS >= deadline) return answer
    await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve))
    return signal.aborted || clock.now() >= deadline ? answer : post()
  }
}

function mayTryAgain({ code, status }: WebhookResponse & { ok: false }): boolean {
  return status === undefined ? NOT_CONNECTED.includes(code) : status >= 500
}

function replyIn(answer: WebhookResponse): unknown {
  if (!answer.ok) {
    const timedOut = answer.code === 'TIMEOUT'
    throw fault(timedOut ? 'TOOL_TIMEOUT' : 'TOOL_FAILED', { cause: answer.message })
  }
  const { body } = answer
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== 'success')
    throw fault('TOOL_FAILED', { cause: "The app's server answered something else than a reply" })
  return 'reply' in body ? body.reply : null
}
