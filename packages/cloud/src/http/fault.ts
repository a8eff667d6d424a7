import { type ErrorCode, type ErrorEntry, errors } from '@glasses-cloud/contract'

/** What may be added to a fault beside its code. */
export interface FaultOptions {
  /** Replaces the catalogue's message, where the message names something (`Invalid permission type: X`). */
  readonly message?: string
  /** Fields placed beside the message in the answer. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** What went wrong underneath; logged, never answered. */
  readonly cause?: unknown
}

/** A refusal or failure from the error catalogue; the error handler words it in the endpoint's answer style. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly entry: ErrorEntry
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, options: FaultOptions = {}) {
    const entry: ErrorEntry = errors[code]
    super(
      options.message ?? entry.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'Fault'
    this.code = code
    this.entry = entry
    this.extra = options.extra ?? {}
  }
}

/** Builds the error to throw for a code of the catalogue: `throw fault('APP_NOT_FOUND')`. */
export function fault(code: ErrorCode, options?: FaultOptions): Fault {
  return new Fault(code, options)
}
