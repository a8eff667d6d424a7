import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'
import type { Translator } from './translator.ts'

const KEY = 'key-of-the-test'

interface ReceivedRequest {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

/** A translation service that translates to capitals. */
class FakeService {
  readonly requests: ReceivedRequest[] = []
  status = 200
  /** Replaces the response. */
  garbage: string | undefined
  url = new URL('http://127.0.0.1')

  static async start(t: TestContext, respond: (request: ReceivedRequest) => unknown): Promise<FakeService> {
    const service = new FakeService()
    const server = createServer(async (request, response) => {
      const body = request.method === 'POST' ? ((await json(request)) as Record<string, unknown>) : {}
      const received = { path: request.url, headers: request.headers, body }
      service.requests.push(received)
      response.statusCode = service.status
      response.end(service.garbage ?? JSON.stringify(respond(received)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    t.after(() => server.closeAllConnections())
    service.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`)
    return service
  }
}

interface TranslatorUnderTest {
  readonly translator: Translator
  readonly service: FakeService
}

function translatorSuite(start: (t: TestContext) => Promise<TranslatorUnderTest>): void {
  test('STT-60: a text is translated between two languages, or from a language that is detected', async (t) => {
    const { translator } = await start(t)
    const known = await translator.translate({ text: 'Grüße "\n', source: 'de-DE', target: 'en-US' })
    assert.deepEqual({ ok: known.ok, text: known.ok && known.text }, { ok: true, text: 'GRÜSSE "\n' })
    const detected = await translator.translate({ text: 'hola', target: 'en-US' })
    assert.deepEqual(detected, { ok: true, text: 'HOLA', detectedLanguage: 'es' })
    assert.equal(await translator.problem(), undefined)
  })

  test('STT-61: failures are classified; messages contain neither the text nor the key', async (t) => {
    const { translator, service } = await start(t)
    for (const [status, kind] of [
      [500, 'retryable'],
      [400, 'unsupported_language'],
      [403, 'authentication'],
      [429, 'retryable'],
    ] as const) {
      service.status = status
      const result = await translator.translate({ text: 'secret words', source: 'de-DE', target: 'en-US' })
      assert.ok(!result.ok)
      assert.equal(result.failure.kind, kind)
      assert.doesNotMatch(result.failure.message, /secret|key-of/)
    }
    service.status = 200
    for (const garbage of ['<html>', 'null', '{}', '[]']) {
      service.garbage = garbage
      const result = await translator.translate({ text: 'x', source: 'de-DE', target: 'en-US' })
      assert.equal(!result.ok && result.failure.kind, 'retryable', garbage)
    }
  })
}

describe('libretranslate', () => {
  const start = async (t: TestContext) => {
    const service = await FakeService.start(t, ({ path, body }) => {
      if (path === '/base/languages') return [{ code: 'en', name: 'English', targets: ['de'] }]
      const detectedLanguage = body.source === 'auto' ? { confidence: 83, language: 'es' } : undefined
      return { translatedText: String(body.q).toUpperCase(), detectedLanguage }
    })
    const translator = libreTranslate({ url: service.url, apiKey: KEY, dispatcher: new Agent() })
    t.after(() => translator.close())
    return { translator, service }
  }
  translatorSuite(start)

  test('STT-62: the request has the form of /translate, with codes without region', async (t) => {
    const { translator, service } = await start(t)
    await translator.translate({ text: 'x', source: 'pt-BR', target: 'zh-TW' })
    assert.deepEqual(service.requests[0]?.path, '/base/translate')
    assert.deepEqual(service.requests[0]?.body, {
      q: 'x',
      source: 'pt',
      target: 'zt',
      format: 'text',
      api_key: KEY,
    })
  })
})

describe('deepl', () => {
  const start = async (t: TestContext) => {
    const service = await FakeService.start(t, ({ path, body }) => {
      if (path === '/base/v2/usage') return { character_count: 1, character_limit: 2 }
      const [text] = body.text as string[]
      return { translations: [{ detected_source_language: 'ES', text: String(text).toUpperCase() }] }
    })
    const translator = deepl({ url: service.url, apiKey: KEY, dispatcher: new Agent() })
    t.after(() => translator.close())
    return { translator, service }
  }
  translatorSuite(start)

  test('STT-63: the request has the form of /v2/translate, with the regions that DeepL requires', async (t) => {
    const { translator, service } = await start(t)
    for (const [target, expected] of [
      ['en-US', 'EN-US'],
      ['en-AU', 'EN-US'],
      ['pt-PT', 'PT-PT'],
      ['de-AT', 'DE'],
    ]) {
      await translator.translate({ text: 'x', source: 'es-ES', target: String(target) })
      const { body, headers } = service.requests.at(-1) ?? {}
      assert.deepEqual(body, { text: ['x'], source_lang: 'ES', target_lang: expected })
      assert.equal(headers?.authorization, `DeepL-Auth-Key ${KEY}`)
    }
    service.status = 456
    const result = await translator.translate({ text: 'x', source: 'es-ES', target: 'en-US' })
    assert.equal(!result.ok && result.failure.kind, 'quota')
    service.status = 403
    assert.match(String(await translator.problem()), /status 403; correct DEEPL_API_KEY/)
  })
})
