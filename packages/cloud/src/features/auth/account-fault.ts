import type { ErrorCode } from '@glasses-cloud/contract'
import { type Fault, fault } from '../../http/fault.ts'

/** Errors of better-auth that have an entry in the error catalogue. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'SIGN_IN_REJECTED',
  INVALID_CREDENTIALS: 'SIGN_IN_REJECTED',
  EMAIL_NOT_VERIFIED: 'EMAIL_NOT_VERIFIED',
  ACCOUNT_SUSPENDED: 'ACCOUNT_SUSPENDED',
  USER_ALREADY_EXISTS: 'ACCOUNT_EXISTS',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'ACCOUNT_EXISTS',
  INVALID_TOKEN: 'VERIFICATION_REJECTED',
  TOKEN_EXPIRED: 'VERIFICATION_REJECTED',
  INVALID_CODE: 'SECOND_FACTOR_REJECTED',
  INVALID_BACKUP_CODE: 'SECOND_FACTOR_REJECTED',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'TOO_MANY_ATTEMPTS',
  ACCOUNT_TEMPORARILY_LOCKED: 'TOO_MANY_ATTEMPTS',
}

interface ApiError extends Error {
  readonly statusCode: number
  readonly body?: { readonly code?: string; readonly message?: string }
}

/** Converts an error of better-auth to one of the catalogue; other errors are returned unchanged. */
export function toAccountFault(error: unknown): unknown {
  if (!isApiError(error) || error.statusCode >= 500) return error
  const { code = '', message } = error.body ?? {}
  const known = CODES[code]
  if (known !== undefined) return fault(known, { extra: { code } })
  if (error.statusCode === 401) return fault('UNAUTHORIZED')
  return rejection(code, message)
}

/** A request that is invalid for a reason that the message states, such as a password that is too short. */
function rejection(code: string, message: string | undefined): Fault {
  return fault('ACCOUNT_REQUEST_REJECTED', { message, extra: { code } })
}

/** Compares the name, because the class is loaded with better-auth only. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'APIError' && 'statusCode' in error
}
