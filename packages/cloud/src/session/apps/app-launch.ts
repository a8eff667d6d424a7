import { type Static, Type } from 'typebox'
import type { Clock, Timer } from '../../time/index.ts'
import type { AppDefinition, SessionPorts } from '../ports.ts'

const startFailure = Type.Object({
  ok: Type.Literal(false),
  stage: Type.Enum([
    'HARDWARE_CHECK',
    'WEBHOOK',
    'CONNECTION',
    'AUTHENTICATION',
    'TIMEOUT',
    'STOPPED',
    'STORE',
  ]),
  code: Type.String({ description: 'A stable identifier for logs and responses' }),
  message: Type.String(),
  retryable: Type.Boolean({
    description: 'Whether the same start may succeed later without a change to the app or the glasses',
  }),
})

/** Why an app did not start. `stage` names the step that failed (decision C8). */
export type StartFailure = Static<typeof startFailure>

export const startOutcome = Type.Union([Type.Object({ ok: Type.Literal(true) }), startFailure])

/** The result of an app start. */
export type StartOutcome = Static<typeof startOutcome>

/** Called once with the result of a start. */
export type StartCallback = (outcome: StartOutcome) => void

export function createStartFailure(
  stage: StartFailure['stage'],
  code: string,
  message: string,
  retryable = true,
): StartFailure {
  return { ok: false, stage, code, message, retryable }
}

export interface AppLaunchDeps {
  readonly clock: Clock
  readonly ports: SessionPorts
  readonly packageName: string
  /** The app, if the start was requested with it. */
  readonly requested: AppDefinition | undefined
  readonly sessionId: string
  /** When the app must be connected, in milliseconds of the monotonic clock. */
  readonly deadline: number
  /** Called with the loaded app, right before its webhook is called. @returns why the app may not start, if so */
  admit(definition: AppDefinition): StartFailure | undefined
  /** Called once, unless the launch is canceled before. `isRetryable` tells whether a restart may try again. */
  fail(failure: StartFailure, isRetryable: boolean): void
}

const INVALID_KEY = createStartFailure(
  'AUTHENTICATION',
  'INVALID_API_KEY',
  'The app presented an invalid API key',
  false,
)

/**
 * One attempt to start an app: loads it, calls its webhook and waits for its socket, all before one deadline. The
 * session cancels the launch when the app connects.
 */
export class AppLaunch {
  readonly #deps: AppLaunchDeps
  readonly #deadlineTimer: Timer
  #isActive = true
  #isUnanswered = false
  #webhookSucceeded = false
  #keyWasInvalid = false

  constructor(deps: AppLaunchDeps) {
    this.#deps = deps
    this.#deadlineTimer = deps.clock.after(this.#remainingMs, () => this.#failAtDeadline())
    deps.ports.loadApp(deps.packageName, deps.requested, (loaded) => {
      if (!this.#isActive) return
      if (!loaded.ok)
        return this.#fail(createStartFailure('STORE', 'STORE_UNAVAILABLE', 'The app could not be loaded'))
      if (!loaded.value)
        return this.#fail(createStartFailure('WEBHOOK', 'APP_NOT_FOUND', 'The app no longer exists', false))
      const failure = deps.admit(loaded.value)
      if (failure) this.#fail(failure)
      else this.#callWebhook(loaded.value)
    })
  }

  /**
   * Records that a client presented an invalid key for this session. It becomes the reason if the launch fails, but
   * does not fail the launch: the client may not be the app.
   */
  recordInvalidKey(): void {
    this.#keyWasInvalid = true
  }

  /** Whether the app server may still handle the webhook call, which also one that timed out or was canceled reaches. */
  get isUnanswered(): boolean {
    return this.#isUnanswered
  }

  cancel(): void {
    this.#isActive = false
    this.#deadlineTimer.cancel()
  }

  get #remainingMs(): number {
    return Math.max(this.#deps.deadline - this.#deps.clock.monotonicNow(), 1)
  }

  #callWebhook(app: AppDefinition): void {
    const { ports, sessionId } = this.#deps
    this.#isUnanswered = true
    ports.callWebhook(app, { type: 'session_request', sessionId }, this.#remainingMs, (outcome) => {
      this.#isUnanswered = !outcome.ok && outcome.code === 'TIMEOUT'
      this.#webhookSucceeded = outcome.ok
      // The deadline of the launch reports a webhook that timed out.
      if (!this.#isActive || outcome.ok || outcome.code === 'TIMEOUT') return
      this.#failWebhook(createStartFailure('WEBHOOK', outcome.code, outcome.message, outcome.retryable))
    })
  }

  #failAtDeadline(): void {
    this.#failWebhook(
      this.#webhookSucceeded
        ? createStartFailure('CONNECTION', 'NO_CONNECTION', 'The app answered but did not connect in time')
        : createStartFailure('TIMEOUT', 'TIMEOUT', 'The app did not answer its webhook in time'),
    )
  }

  #failWebhook(failure: StartFailure): void {
    this.#fail(this.#keyWasInvalid ? INVALID_KEY : failure, failure.retryable)
  }

  #fail(failure: StartFailure, isRetryable = failure.retryable): void {
    this.cancel()
    this.#deps.fail(failure, isRetryable)
  }
}
