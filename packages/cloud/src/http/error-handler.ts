import type { ErrorCode, ErrorStyle } from '@glasses-cloud/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDiskFull } from '../blobs/index.ts'
import { AccountEnded } from '../identity/index.ts'
import { isRemoteFailure } from '../session-host/index.ts'
import type { Endpoint } from './endpoint.ts'
import { Fault, fault } from './fault.ts'
import { InvalidRequest } from './validation.ts'

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
function supabaseCodeOf(code: ErrorCode, status: number): string {
  return SUPABASE_CODES[code] ?? (status < 500 ? 'validation_failed' : 'unexpected_failure')
}

/** Builds an error body in the style of the endpoint. Extra fields never replace those of the style. */
export function errorBody(fault: Fault, groupStyle: ErrorStyle): Record<string, unknown> {
  switch (fault.entry.style ?? groupStyle) {
    case 'envelope':
      return { ...fault.extra, success: false, message: fault.message }
    case 'bare':
      return { ...fault.extra, error: fault.message }
    case 'coded':
      return { ...fault.extra, error: fault.code, message: fault.message }
    case 'supabase': {
      const { status } = fault.entry
      return {
        ...fault.extra,
        code: status,
        error_code: supabaseCodeOf(fault.code, status),
        msg: fault.message,
      }
    }
  }
}

/** Errors of Fastify and their codes in the error catalogue. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/**
 * A rejected body of at most this size is read and discarded. Closing the connection instead, as Fastify does, loses the
 * response on its way through a proxy that still sends the body: Caddy returns 502 then.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024

/** Responds to a thrown error with an entry of the error catalogue; never with a stack trace. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const endpoint = request.routeOptions.config.endpoint
  const failure = withExpectation(toFault(error, endpoint), request)
  request.faultCode = failure.code
  if (failure.cause !== undefined) {
    // A fault that an endpoint throws has its cause outside the cloud, such as an app server that does not respond. The
    // loss of a node is reported once, by the nodes that notice it.
    const level = error instanceof Fault || failure.code === 'NODE_UNAVAILABLE' ? 'warn' : 'error'
    request.log[level]({ err: failure.cause, code: failure.code }, 'request failed')
  }
  if (failure.entry.status === 401) void reply.header('www-authenticate', 'Bearer')
  if (failure.code === 'NODE_UNAVAILABLE') void reply.header('retry-after', '1')
  if (
    failure.code === 'PAYLOAD_TOO_LARGE' &&
    Number(request.headers['content-length']) <= MAX_DISCARDED_BYTES
  )
    void reply.removeHeader('connection')
  // The handler may have set another type before it failed.
  void reply
    .code(failure.entry.status)
    .type('application/json')
    .send(errorBody(failure, endpoint?.style ?? 'bare'))
}

/** Converts an error to a catalogue entry; unexpected errors become the endpoint's `failure`. */
function toFault(error: unknown, endpoint: Endpoint | undefined): Fault {
  if (error instanceof Fault) return error
  if (error instanceof InvalidRequest) return invalidFault(error, endpoint)
  const known = frameworkFault(error)
  if (known !== undefined) return known
  if (error instanceof AccountEnded) return fault('UNAUTHORIZED')
  if (isDiskFull(error)) return fault('INSUFFICIENT_STORAGE', { cause: error })
  if (isRemoteFailure(error)) return fault('NODE_UNAVAILABLE', { cause: error })
  return fault(endpoint?.failure ?? 'INTERNAL', { cause: error })
}

/** Adds what the endpoint accepts to the message of an error that does not say it. */
function withExpectation(failure: Fault, { routeOptions }: FastifyRequest): Fault {
  const { code, message, entry } = failure
  const { bodyLimit, config } = routeOptions
  if (message !== entry.message) return failure
  if (code === 'PAYLOAD_TOO_LARGE' && bodyLimit !== undefined)
    return fault(code, { message: `${message}; at most ${bodyLimit.toLocaleString('en')} bytes are allowed` })
  if (code !== 'UNSUPPORTED_MEDIA_TYPE') return failure
  const type = config.endpoint?.limits?.form === undefined ? 'application/json' : 'multipart/form-data'
  return fault(code, { message: `${message}; send ${type}` })
}

/** Returns the endpoint's `invalid` error, or `BAD_REQUEST` with a message that names the field. */
function invalidFault({ part }: InvalidRequest, endpoint: Endpoint | undefined): Fault {
  const invalid = endpoint?.invalid
  const code = typeof invalid === 'function' ? invalid(part) : (invalid ?? 'BAD_REQUEST')
  return fault(code, code === 'BAD_REQUEST' ? { message: part.message } : {})
}

function frameworkFault(error: unknown): Fault | undefined {
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === undefined || statusCode === undefined || statusCode < 400 || statusCode >= 500)
    return undefined
  const known = FRAMEWORK_CODES[code]
  if (known !== undefined) return fault(known)
  return fault('BAD_REQUEST', {
    message: code.startsWith('FST_ERR_CTP') ? 'The body could not be read; send valid JSON' : undefined,
  })
}
