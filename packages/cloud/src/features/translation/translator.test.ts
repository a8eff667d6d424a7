import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'
import {
  deeplProtocol,
  FakeTranslationService,
  libreTranslateProtocol,
  translationKey,
} from './testing/fake-translation-service.ts'
import type { Translator } from './translator.ts'
import { translatorSuite } from './translator-suite.ts'

type Create = (options: { url: URL; apiKey: string; dispatcher: Agent }) => Translator

async function startWith(t: TestContext, service: FakeTranslationService, create: Create) {
  const open = (apiKey: string) => {
    const translator = create({ url: service.url, apiKey, dispatcher: new Agent() })
    t.after(() => translator.close())
    return translator
  }
  return { service, translator: open(translationKey), withWrongKey: open('wrong-key') }
}

describe('libretranslate', () => {
  const start = async (t: TestContext) => {
    const service = await FakeTranslationService.start(t, libreTranslateProtocol)
    return { ...(await startWith(t, service, libreTranslate)), exhaustedFailure: 'retryable' as const }
  }
  translatorSuite(start)

  test('STT-62: the request has the form of /translate, with codes without region', async (t) => {
    const { translator, service } = await start(t)
    await translator.translate({ text: 'x', source: 'pt-BR', target: 'zh-TW' })
    const [request] = service.requests
    assert.equal(request?.route, 'POST /translate')
    const languages = { source: 'pt', target: 'zt' }
    assert.deepEqual(request?.body, { q: 'x', ...languages, format: 'text', api_key: translationKey })
  })

  test('STT-71: a service without languages is a problem', async (t) => {
    const { translator, service } = await start(t)
    service.garbage = '[]'
    assert.match(String(await translator.problem()), /no languages; install its models/)
  })
})

describe('deepl', () => {
  const start = async (t: TestContext) => {
    const service = await FakeTranslationService.start(t, deeplProtocol)
    return { ...(await startWith(t, service, deepl)), exhaustedFailure: 'quota' as const }
  }
  translatorSuite(start)

  test('STT-63: the request has the form of /v2/translate, with the regions that DeepL requires', async (t) => {
    const { translator, service, withWrongKey } = await start(t)
    for (const [target, expected] of [
      ['en-US', 'EN-US'],
      ['en-AU', 'EN-US'],
      ['pt-PT', 'PT-PT'],
      ['de-AT', 'DE'],
    ]) {
      await translator.translate({ text: 'x', source: 'es-ES', target: String(target) })
      const { body, headers } = service.requests.at(-1) ?? {}
      assert.deepEqual(body, { text: ['x'], source_lang: 'ES', target_lang: expected })
      assert.equal(headers?.authorization, `DeepL-Auth-Key ${translationKey}`)
    }
    assert.match(String(await withWrongKey.problem()), /status 403; correct DEEPL_API_KEY/)
  })
})
