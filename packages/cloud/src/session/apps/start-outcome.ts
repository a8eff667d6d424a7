import { type Static, Type } from 'typebox'

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
