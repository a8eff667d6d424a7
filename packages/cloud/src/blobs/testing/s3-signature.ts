import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The signed parts of a request, as the server received them. */
export interface SignedRequest {
  readonly method: string
  /** Path and query, still percent-encoded. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A difference of the clocks beyond which S3 rejects a request. */
const MAX_SKEW_MS = 15 * 60 * 1000

/**
 * Verifies a request as S3 does (AWS signature version 4 in the `Authorization` header).
 * @returns the error code of S3, or undefined if the signature is valid
 */
export function verifySignature(
  request: SignedRequest,
  account: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string },
  now: number,
): string | undefined {
  const { headers, body } = request
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (parsed === null) return 'AccessDenied'
  const [, accessKeyId, day = '', region = '', signedHeaders = '', signature = ''] = parsed
  if (accessKeyId !== account.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== account.region) return 'AuthorizationHeaderMalformed'
  const time = String(headers['x-amz-date'])
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(now - sentAt) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  const hash = String(headers['x-amz-content-sha256'])
  if (hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const names = signedHeaders.split(';')
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'))
  if (!mustBeSigned.every((name) => names.includes(name))) return 'AccessDenied'
  const canonical = [
    request.method,
    ...canonicalTarget(request.target),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (current, part) => hmac(current, part),
    `AWS4${account.secretAccessKey}`,
  )
  const isValid = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))
  return isValid ? undefined : 'SignatureDoesNotMatch'
}

function canonicalTarget(target: string): [path: string, query: string] {
  const [path = '', query = ''] = target.split('?')
  const parameters = query === '' ? [] : query.split('&')
  const sorted = parameters.map((parameter) => (parameter.includes('=') ? parameter : `${parameter}=`)).sort()
  return [path, sorted.join('&')]
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: Buffer | string, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest()
}
