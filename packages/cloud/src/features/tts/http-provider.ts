import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { SpeechProviderError } from './text-to-speech.ts'

/** Maximum bytes to read of an error response. */
const MAX_ERROR_BODY_BYTES = 16 * 1024

/** Timeout of a health check of the provider, in ms. */
const HEALTH_CHECK_TIMEOUT_MS = 5_000

/** An HTTP text-to-speech provider. */
export interface HttpProvider {
  /** Without a trailing slash. */
  readonly base: string
  /** Authentication headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
}

/**
 * Requests speech from the provider.
 * @returns the audio as it arrives
 * @throws SpeechProviderError if the provider rejects the request, returns no audio, or cannot be reached
 */
export async function requestSpeech(
  { base, headers, dispatcher }: HttpProvider,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const content = Buffer.from(JSON.stringify(body))
  let isSent = false
  const request = {
    ...target(base + path),
    method: 'POST',
    headers: {
      ...headers,
      accept: 'audio/mpeg',
      'content-type': 'application/json',
      'content-length': `${content.length}`,
    },
    // It is read once there is a connection.
    body: Readable.from(
      (function* () {
        isSent = true
        yield content
      })(),
    ),
    signal,
  } as const
  const response = await dispatcher.request(request).catch((cause: unknown) => {
    throw new SpeechProviderError('The speech provider cannot be reached', { isFree: !isSent, cause })
  })
  // Readers receive the error; without a reader it must not be unhandled.
  response.body.on('error', () => {})
  const { statusCode: status } = response
  if (status !== 200) {
    const reason = await errorCodeOf(response.body)
    throw new SpeechProviderError(`The speech provider answered ${status}${reason}`, { status, isFree: true })
  }
  const type = String(response.headers['content-type'] ?? 'audio/mpeg')
  if (!/^(audio\/|(application|binary)\/octet-stream)/i.test(type)) {
    response.body.destroy()
    throw new SpeechProviderError(`The speech provider answered with ${type.slice(0, 50)}, not with sound`, {
      status,
    })
  }
  return audioOf(response.body)
}

/** Returns the problem of an HTTP provider, checked with a request that is not charged. */
export async function httpProblem({ base, headers, dispatcher }: HttpProvider): Promise<string | undefined> {
  try {
    const { statusCode, body } = await dispatcher.request({
      ...target(`${base}/v1/models`),
      method: 'GET',
      headers,
      signal: AbortSignal.timeout(HEALTH_CHECK_TIMEOUT_MS),
    })
    await body.dump()
    if (statusCode === 401 || statusCode === 403) return `${base} refuses the key; correct TTS_API_KEY`
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return `${base} cannot be reached${code}; correct TTS_BASE_URL`
  }
}

async function* audioOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new SpeechProviderError('The speech provider broke off', { cause })
  }
}

/** Returns the error code of an error response. Its message is omitted, because it may repeat the text. */
async function errorCodeOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body) {
      size += chunk.byteLength
      if (size > MAX_ERROR_BODY_BYTES) return ''
      chunks.push(chunk)
    }
    const { detail, error } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const code: unknown = detail?.status ?? error?.code ?? error?.type
    return typeof code === 'string' && /^\w{1,64}$/.test(code) ? ` (${code})` : ''
  } catch {
    return ''
  }
}

function target(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}
