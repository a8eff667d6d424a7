/** Why an app start did not end in a running app. `stage` names the step that failed (decision C8). */
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
  /** A stable word for logs and answers. */
  readonly code: string
  readonly message: string
  /** Whether the same start may succeed later without anybody changing anything. */
  readonly retryable: boolean
}

/** How an app start ended. */
export type StartOutcome = { readonly ok: true } | StartFailure

/** Told once how a start ended. */
export type StartCallback = (outcome: StartOutcome) => void

/** Builds a failure. */
export function createStartFailure(
  stage: StartFailure['stage'],
  code: string,
  message: string,
  retryable = true,
): StartFailure {
  return { ok: false, stage, code, message, retryable }
}
