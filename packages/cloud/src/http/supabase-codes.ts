import type { ErrorCode } from '@glasses-cloud/contract'

/** Codes of Supabase Auth, by which its clients recognize errors, listed in `@supabase/auth-js`. */
const SUPABASE_CODES: Partial<Record<ErrorCode, string>> = {
  ACCOUNT_EXISTS: 'user_already_exists',
  ACCOUNT_REQUEST_REJECTED: 'email_address_invalid',
  ACCOUNT_SUSPENDED: 'user_banned',
  CURRENT_PASSWORD_REQUIRED: 'reauthentication_needed',
  EMAIL_NOT_VERIFIED: 'email_not_confirmed',
  INVALID_PASSWORD: 'invalid_credentials',
  INVITATION_REQUIRED: 'signup_disabled',
  PASSWORD_COMMON: 'weak_password',
  PASSWORD_CONTAINS_ADDRESS: 'weak_password',
  PASSWORD_GUESSABLE: 'weak_password',
  PASSWORD_LENGTH: 'weak_password',
  RATE_LIMITED: 'over_request_rate_limit',
  REFRESH_TOKEN_REJECTED: 'refresh_token_not_found',
  REFRESH_TOKEN_REUSED: 'refresh_token_already_used',
  REQUEST_TIMEOUT: 'request_timeout',
  SECOND_FACTOR_UNSUPPORTED: 'insufficient_aal',
  SET_UP_CODE_REQUIRED: 'signup_disabled',
  SIGN_IN_REJECTED: 'invalid_credentials',
  SIGN_UP_CLOSED: 'signup_disabled',
  TOO_MANY_ATTEMPTS: 'over_request_rate_limit',
  TOO_MANY_PASSWORDS: 'over_request_rate_limit',
  // Makes clients forget a session that has ended.
  UNAUTHORIZED: 'session_not_found',
}

/** Returns the code of Supabase Auth for an error. */
export function supabaseCodeOf(code: ErrorCode, status: number): string {
  return SUPABASE_CODES[code] ?? (status < 500 ? 'validation_failed' : 'unexpected_failure')
}
