/** A request to S3 failed. The message names the cause and, if a setting can be the cause, what to correct. */
export class S3Error extends Error {
  /** The error code of S3, such as `NoSuchKey`, or of the connection, such as `ECONNREFUSED`. */
  readonly code: string
  /** HTTP status; 0 if there was no response. */
  readonly status: number

  constructor(failure: { code: string; status: number; message: string; cause?: unknown }) {
    super(failure.message, { cause: failure.cause })
    this.name = 'S3Error'
    this.code = failure.code
    this.status = failure.status
  }

  /** Whether the same request may succeed later: S3 is unreachable, overloaded or has failed. */
  get isTransient(): boolean {
    return (
      this.status === 0 ||
      this.status === 429 ||
      (this.status >= 500 && this.status !== 501) ||
      this.code === 'RequestTimeout'
    )
  }
}

/** Returns undefined instead of failing if the object or the upload does not exist. */
export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket') return undefined
    throw error
  }
}

/** What S3 responded to a request that it did not fulfill. */
export interface Rejection {
  readonly status: number
  readonly code: string
  readonly detail: string
  /** The `Date` header; undefined if missing. */
  readonly date: string | undefined
}

/** Returns the error for a response with an error status. */
export function rejectedBy(bucket: string, rejection: Rejection, now: number): S3Error {
  const { status, code } = rejection
  return new S3Error({ status, code, message: `S3: ${explain(bucket, rejection, now)}` })
}

/** Returns the error for a request without a complete response. */
export function unreachable(host: string, cause: unknown): S3Error {
  const code = codeOf(cause)
  const message = `S3: ${host} does not respond (${code}); check S3_ENDPOINT and the service`
  return new S3Error({ status: 0, code, message, cause })
}

function codeOf(cause: unknown): string {
  const { code, cause: inner } = cause as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return inner === undefined ? 'connection failed' : codeOf(inner)
}

function explain(bucket: string, { status, code, detail, date }: Rejection, now: number): string {
  switch (code) {
    case 'NoSuchBucket':
      return `the bucket ${bucket} does not exist; create it, or correct S3_BUCKET`
    case 'InvalidAccessKeyId':
      return 'the access key is unknown; correct S3_ACCESS_KEY_ID'
    case 'SignatureDoesNotMatch':
      return 'the signature is wrong; correct S3_SECRET_ACCESS_KEY'
    case 'AccessDenied':
      return `the access key may not read, write, list and delete in the bucket ${bucket}; extend its policy`
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return `the bucket ${bucket} is in another region; correct S3_REGION and S3_ENDPOINT (${detail})`
    case 'RequestTimeTooSkewed': {
      const seconds = date === undefined ? undefined : Math.round((now - Date.parse(date)) / 1000)
      const difference = seconds === undefined ? '' : ` by ${Math.abs(seconds)} s`
      return `the clock of this machine differs from that of S3${difference}; synchronize it with NTP`
    }
    default:
      return `responded ${status} ${code}${detail === '' ? '' : ` (${detail})`}`
  }
}
