import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Scope } from '../../../../test/support/scope.ts'

/** The key that the fake services accept. */
export const translationKey = 'key-of-the-test'

/** A language that the fake services do not know. */
export const unknownLanguage = 'tlh-KL'

/**
 * How a fake service misbehaves:
 * - `overloaded`, `broken`: answers with 429 or 500
 * - `exhausted`: answers as with an exhausted account
 * - `endless`: answers with more than any translation has
 * - `drop`: breaks the connection without an answer
 */
export type TranslationFault = 'overloaded' | 'broken' | 'exhausted' | 'endless' | 'drop' | undefined

export interface TranslationServiceRequest {
  /** `POST /translate` */
  readonly route: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** The protocol of a service. It translates to capitals, and detects Spanish. */
export interface TranslationProtocol {
  answer(request: TranslationServiceRequest): Answer
  /** The answer for a status of a fault. */
  error(status: number): unknown
  readonly exhaustedStatus: number
}

/** A translation service on this machine, below the path `/base/`. */
export class FakeTranslationService {
  readonly requests: TranslationServiceRequest[] = []
  readonly url: URL
  fault: TranslationFault
  /** Replaces the body of responses. */
  garbage: string | undefined
  readonly #protocol: TranslationProtocol

  private constructor(url: URL, protocol: TranslationProtocol) {
    this.url = url
    this.#protocol = protocol
  }

  static async start(scope: Scope, protocol: TranslationProtocol): Promise<FakeTranslationService> {
    const server = createServer(async (request, response) => {
      const body = request.method === 'POST' ? await json(request).catch(() => undefined) : {}
      const path = String(request.url).split('/base')[1] ?? ' outside of the base'
      const route = `${request.method} ${path}`
      service.#respond({ route, headers: request.headers, body: Object(body) }, response)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    scope.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const service = new FakeTranslationService(new URL(`http://127.0.0.1:${port}/base/`), protocol)
    return service
  }

  #respond(request: TranslationServiceRequest, response: ServerResponse): void {
    this.requests.push(request)
    const { exhaustedStatus } = this.#protocol
    const failed = { overloaded: 429, broken: 500, exhausted: exhaustedStatus }
    switch (this.fault) {
      case 'drop':
        return void response.destroy()
      case 'endless':
        response.on('error', () => {})
        return void response.end('"'.padEnd(1024 * 1024))
      case 'overloaded':
      case 'broken':
      case 'exhausted':
        return send(response, failed[this.fault], this.#protocol.error(failed[this.fault]))
    }
    const { status, body } = this.#protocol.answer(request)
    if (this.garbage === undefined) send(response, status, body)
    else response.end(this.garbage)
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** LibreTranslate 1.9, which requires a key: `POST /translate` and `GET /languages`. */
export const libreTranslate = (
  languages: readonly string[] = ['en', 'es', 'de', 'nb', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant'],
): TranslationProtocol => ({
  exhaustedStatus: 429,
  error: () => ({ error: 'Slowdown: too many requests' }),
  answer({ route, body }) {
    if (route === 'GET /languages')
      return { status: 200, body: languages.map((code) => ({ code, name: code, targets: languages })) }
    if (route !== 'POST /translate') return { status: 404, body: { error: 'Not found' } }
    const { q, source, target, format, api_key: key } = body
    if (key !== translationKey) return { status: 403, body: { error: 'Invalid API key' } }
    if (typeof q !== 'string' || format !== 'text')
      return { status: 500, body: { error: 'Invalid request: missing q parameter' } }
    const unsupported = [source, target].find((code) => code !== 'auto' && !languages.includes(String(code)))
    if (unsupported !== undefined || target === 'auto')
      return { status: 400, body: { error: `${unsupported} is not supported` } }
    const detectedLanguage = { confidence: 83, language: 'es' }
    const translatedText = q.toUpperCase()
    return {
      status: 200,
      body: source === 'auto' ? { translatedText, detectedLanguage } : { translatedText },
    }
  },
})

export const libreTranslateProtocol = libreTranslate()

/** DeepL: `POST /v2/translate` and `GET /v2/usage`. */
export const deeplProtocol: TranslationProtocol = {
  exhaustedStatus: 456,
  error: (status) => ({ message: status === 456 ? 'Quota exceeded' : 'Too many requests' }),
  answer({ route, headers, body }) {
    const sources = ['EN', 'ES', 'DE', 'NB', 'PT', 'ZH']
    // English and Portuguese need a region as a target.
    const targets = ['EN-US', 'EN-GB', 'ES', 'ES-419', 'DE', 'NB', 'PT-BR', 'PT-PT', 'ZH', 'ZH-HANT']
    if (headers.authorization !== `DeepL-Auth-Key ${translationKey}`)
      return { status: 403, body: { message: 'Forbidden' } }
    if (route === 'GET /v2/usage') return { status: 200, body: { character_count: 1, character_limit: 2 } }
    if (route !== 'POST /v2/translate') return { status: 404, body: { message: 'Not found' } }
    const { text, source_lang: source, target_lang: target } = body
    if (!Array.isArray(text)) return { status: 400, body: { message: "Parameter 'text' not specified." } }
    if (source !== undefined && !sources.includes(String(source)))
      return { status: 400, body: { message: "Value for 'source_lang' not supported." } }
    if (!targets.includes(String(target)))
      return { status: 400, body: { message: "Value for 'target_lang' not supported." } }
    const detected = source === undefined ? 'ES' : source
    const translate = (each: unknown) => ({
      detected_source_language: detected,
      text: String(each).toUpperCase(),
    })
    return { status: 200, body: { translations: text.map(translate) } }
  },
}
