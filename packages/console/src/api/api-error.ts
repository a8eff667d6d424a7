import type { ManifestProblem } from '@glasses-cloud/contract'
import { plural } from '../format.ts'
import type { components } from './schema.d.ts'

type Schemas = components['schemas']

/** What some error responses contain besides the message. */
interface ApiErrorDetails {
  /** Code of the error catalogue. */
  readonly code?: string | undefined
  /** Stage of an app start that failed. */
  readonly stage?: string | undefined
  /** Problems of a manifest, with the field of each. */
  readonly problems?: readonly ManifestProblem[] | undefined
}

/** An error response of the cloud, or a request that did not reach it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: string | undefined
  readonly stage: string | undefined
  readonly problems: readonly ManifestProblem[]

  constructor(status: number, message: string, { code, stage, problems = [] }: ApiErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = code
    this.stage = stage
    this.problems = problems
  }
}

/** The form of the codes of the error catalogue. */
const CODE = /^[A-Z][A-Z\d_]*$/

type Details = Record<string, unknown>

// The error bodies of the OpenAPI document. An endpoint declares one of them; details of the error may be added.
const isCoded = (body: Details): body is Schemas['CodedError'] & Pick<ApiErrorDetails, 'problems'> =>
  typeof body.error === 'string' && CODE.test(body.error) && typeof body.message === 'string'
const isEnvelope = (
  body: Details,
): body is Schemas['EnvelopeError'] & Pick<ApiErrorDetails, 'problems'> & { error?: ApiErrorDetails } =>
  body.success === false && typeof body.message === 'string'
const isBare = (body: Details): body is Schemas['BareError'] => typeof body.error === 'string'

/**
 * Reads the body of an error response. Bodies that are not those of the cloud are replaced by a general message.
 * @param retryAfter the header of this name, which says when a limit allows the next request
 */
export function readError(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const seconds = /^\d{1,4}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0
  // Limits of a single endpoint have messages of their own.
  if (status === 429 && seconds > 0 && isObject(body) && [body.message, body.error].includes(TOO_MANY))
    return new ApiError(status, `${TOO_MANY}. ${tryAgainIn(seconds)}`, {
      code: isCoded(body) ? body.error : undefined,
    })
  if (isObject(body)) {
    if (isCoded(body))
      return new ApiError(status, body.message, { code: body.error, problems: body.problems })
    if (isEnvelope(body))
      return new ApiError(status, body.message, { ...body.error, problems: body.problems })
    if (isBare(body)) return new ApiError(status, body.error)
  }
  return new ApiError(status, `The request failed (${status})`)
}

const TOO_MANY = 'Too many requests'

const tryAgainIn = (seconds: number) =>
  plural(seconds, { one: 'Try again in 1 second.', other: `Try again in ${seconds} seconds.` })

const isObject = (value: unknown): value is Details => typeof value === 'object' && value !== null
