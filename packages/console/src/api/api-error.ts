import type { ManifestProblem } from '@glasses-cloud/contract'
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
 * Reads the body of an error response, and adds what to do: when a limit allows the next request, or by what the operator
 * finds a failure in the log. Bodies that are not those of the cloud are replaced by a general message.
 */
export function readError(status: number, body: unknown, headers: Headers = new Headers()): ApiError {
  const { message, ...details } = readBody(body) ?? { message: generalMessage(status) }
  return new ApiError(status, withAdvice(status, message, details, headers), details)
}

function readBody(body: unknown): (ApiErrorDetails & { readonly message: string }) | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const details = body as Details
  if (isCoded(details)) return { message: details.message, code: details.error, problems: details.problems }
  if (isEnvelope(details)) return { message: details.message, ...details.error, problems: details.problems }
  return isBare(details) ? { message: details.error } : undefined
}

const generalMessage = (status: number) =>
  status < 500
    ? `The request failed (${status})`
    : `The cloud does not answer, or a proxy in front of it fails (${status}). Try again in a minute.`

/** Advice in a message that a time or the failure makes exact. */
const VAGUE = /[;.] ?try again(?: later| tomorrow)?\.?$/i

function withAdvice(status: number, message: string, { stage }: ApiErrorDetails, headers: Headers): string {
  const seconds = /^\d{1,7}$/.exec(headers.get('retry-after') ?? '')?.[0]
  if (status === 429 && Number(seconds) > 0)
    return `${message.replace(VAGUE, '')}. Try again in ${formatWait(Number(seconds))}.`
  const request = headers.get('x-request-id')
  const what = message === 'Internal server error' ? 'The cloud failed' : message
  // Failed starts of apps have explanations of their own.
  if (status === 500 && request !== null && stage === undefined)
    return `${what}. Try again. If it happens again, the operator of this cloud finds the reason in its log, under ${request}.`
  return message
}

const UNITS = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
  [1, 'seconds'],
] as const

/** Names a time in the largest unit of which there are at least two, rounded up. */
function formatWait(seconds: number): string {
  const [length, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second']
  return `${Math.ceil(seconds / length)} ${unit}`
}
