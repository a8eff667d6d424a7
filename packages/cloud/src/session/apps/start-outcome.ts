/** Why an app did not start. `stage` names the step that failed (decision C8). */
export interface StartFailure {
  readonly ok: false
  readonly stage:
    | 'HARDWARE_CHECK'
    | 'WEBHOOK'
    | 'CONNECTION'
    | 'AUTHENTICATION'
    | 'TIMEOUT'
    | 'STOPPED'
    | 'STORE'
  /** A stable identifier for logs and responses. */
  readonly code: string
  readonly message: string
  /** Whether the same start may succeed later without a change to the app or the glasses. */
  readonly retryable: boolean
}

/** The result of an app start. */
export type StartOutcome = { readonly ok: true } | StartFailure

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
