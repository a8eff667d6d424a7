import { type ErrorCode, type ErrorEntry, errors } from '@glasses-cloud/contract'

export interface FaultOptions {
  /** Replaces the message of the catalogue, for messages that contain a value (`Invalid permission type: X`). */
  readonly message?: string
  /** Additional fields of the response body. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** The underlying error; logged, but never sent. */
  readonly cause?: unknown
}

/** An error of the error catalogue; the error handler formats it in the endpoint's style. */
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

/** Creates the error for a code of the catalogue: `throw fault('APP_NOT_FOUND')`. */
export function fault(code: ErrorCode, options?: FaultOptions): Fault {
  return new Fault(code, options)
}
