import type { ErrorCode } from '@glasses-cloud/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { errorBody } from './error-body.ts'
import { Fault, fault } from './fault.ts'
import { InvalidRequest } from './validation.ts'

/** Fastify's own refusals, in the catalogue's words. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

/** Answers whatever was thrown on the way to an answer: always from the catalogue, never with a stack trace. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const endpoint = request.routeOptions.config.endpoint
  const raised = toFault(error, endpoint)
  request.faultCode = raised.code
  if (raised.cause !== undefined)
    request.log.error({ err: raised.cause, code: raised.code }, 'request failed')
  if (raised.entry.status === 401) void reply.header('www-authenticate', 'Bearer')
  void reply.code(raised.entry.status).send(errorBody(raised, endpoint?.style ?? 'bare'))
}

/** Names an error by the catalogue; what nobody expected becomes the endpoint's `failure`. */
function toFault(error: unknown, endpoint: Endpoint | undefined): Fault {
  if (error instanceof Fault) return error
  if (error instanceof InvalidRequest) return invalidFault(error, endpoint)
  const known = frameworkFault(error)
  if (known !== undefined) return known
  return fault(endpoint?.failure ?? 'INTERNAL', { cause: error })
}

/** The endpoint's own error if it names one, else a sentence that names the field. */
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
    message: code.startsWith('FST_ERR_CTP') ? 'The body could not be read' : undefined,
  })
}
