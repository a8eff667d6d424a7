import type { Dispatcher } from 'undici'
import type { SpeechFailureKind, TranslationResult } from '../../session/index.ts'

/** Limit for one translation, in milliseconds. */
const TIMEOUT_MS = 5_000
const MAX_RESPONSE_BYTES = 256 * 1024

/** A translation service with an HTTP interface. */
export interface HttpTranslator {
  readonly name: string
  /** Without a trailing slash. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  /** Kinds of the statuses that have a meaning of their own in this service. */
  readonly statusKinds: Readonly<Record<number, SpeechFailureKind>>
}

type JsonResponse =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly kind: SpeechFailureKind; readonly message: string }

/** Sends a JSON request. Never rejects; failure messages contain nothing of the request or the response. */
export async function requestJson(
  { name, base, headers, dispatcher, statusKinds }: HttpTranslator,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<JsonResponse> {
  const { origin, pathname } = new URL(`${base}${path}`)
  try {
    const response = await dispatcher.request({
      origin,
      path: pathname,
      method,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { statusCode: status } = response
    if (status !== 200) {
      await response.body.dump()
      const kind = statusKinds[status] ?? 'retryable'
      return { ok: false, kind, message: `${name} responded with status ${status}` }
    }
    return { ok: true, body: JSON.parse(await readText(response.body)) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    return { ok: false, kind: 'retryable', message: `${name} cannot be used${code}` }
  }
}

/** Returns a translation from its parts; a response without text is a failure. */
export function translationOf(name: string, text: unknown, detected: unknown): TranslationResult {
  if (typeof text !== 'string')
    return { ok: false, failure: { kind: 'retryable', message: `${name} sent an invalid response` } }
  return { ok: true, text, ...(typeof detected === 'string' ? { detectedLanguage: detected } : {}) }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
