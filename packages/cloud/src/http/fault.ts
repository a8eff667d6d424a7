import { type ErrorCode, type ErrorEntry, errors } from '@glasses-cloud/contract'
import { LastAdministrator } from '../identity/index.ts'
import type { SessionDirectory, SessionHandle } from '../session-host/index.ts'

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

/**
 * Returns the user's live session.
 * @throws Fault `NO_ACTIVE_SESSION` (503) if there is none: phones then reconnect and repeat the request
 */
export async function requireSession(sessions: SessionDirectory, userId: string): Promise<SessionHandle> {
  const session = await sessions.find(userId)
  if (session === undefined) throw fault('NO_ACTIVE_SESSION')
  return session
}

/** Rethrows the error of an endpoint that takes an administrator away. @throws Fault `LAST_ADMINISTRATOR` */
export function rejectLastAdministrator(cause: unknown): never {
  throw cause instanceof LastAdministrator ? fault('LAST_ADMINISTRATOR', { cause }) : cause
}
