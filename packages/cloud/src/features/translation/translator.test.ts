import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Agent } from 'undici'
import { deepl } from './deepl.ts'
import { libreTranslate } from './libretranslate.ts'
import {
  deeplProtocol,
  FakeTranslationService,
  libreTranslateProtocol,
  libreTranslate as libreTranslateWith,
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

  test('STT-62: the request has the form of /translate, with the codes that the service lists', async (t) => {
    for (const [codes, ...pairs] of [
      [
        ['en', 'pt', 'pt-BR', 'zh-Hans', 'zh-Hant', 'nb', 'he'],
        ['pt-BR', 'pt-BR'],
        ['pt-PT', 'pt'],
        ['zh-TW', 'zh-Hant'],
        ['cmn-Hans-CN', 'zh-Hans'],
        ['no-NO', 'nb'],
        ['iw', 'he'],
        ['en-AU', 'en'],
      ],
      [
        ['en', 'pt', 'pb', 'zh', 'zt'],
        ['pt-BR', 'pb'],
        ['pt-AO', 'pt'],
        ['zh-HK', 'zt'],
        ['zh-CN', 'zh'],
      ],
      [
        ['en', 'pt', 'zh'],
        ['pt-BR', 'pt'],
        ['zh-TW', 'zh'],
      ],
    ] as const) {
      const service = await FakeTranslationService.start(t, libreTranslateWith(codes))
      const { translator } = await startWith(t, service, libreTranslate)
      for (const [tag, code] of pairs) {
        assert.ok((await translator.translate({ text: 'x', source: tag, target: 'en-US' })).ok, tag)
        const { route, body } = service.requests.at(-1) ?? assert.fail()
        const request = { q: 'x', source: code, target: 'en', format: 'text', api_key: translationKey }
        assert.deepEqual([route, body], ['POST /translate', request])
        assert.ok((await translator.translate({ text: 'x', source: 'en', target: tag })).ok, tag)
        assert.equal(service.requests.at(-1)?.body.target, code)
      }
      assert.equal(service.requests.filter(({ route }) => route === 'GET /languages').length, 1)
    }
  })

  test('STT-62: models that are installed later are found', async (t) => {
    const codes = ['en']
    const service = await FakeTranslationService.start(t, libreTranslateWith(codes))
    const { translator } = await startWith(t, service, libreTranslate)
    const translate = () => translator.translate({ text: 'x', source: 'de-DE', target: 'en-US' })
    const failed = await translate()
    assert.deepEqual(failed.ok || failed.failure.kind, 'unsupported_language')
    codes.push('de')
    assert.ok((await translate()).ok)
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
      ['pt', 'PT-BR'],
      ['zh-Hans-CN', 'ZH'],
      ['zh-Hant', 'ZH-HANT'],
      ['nb-NO', 'NB'],
      ['es', 'ES'],
      ['es-AR', 'ES-419'],
    ]) {
      await translator.translate({ text: 'x', source: 'es-ES', target: String(target) })
      const { body, headers } = service.requests.at(-1) ?? {}
      assert.deepEqual(body, { text: ['x'], source_lang: 'ES', target_lang: expected })
      assert.equal(headers?.authorization, `DeepL-Auth-Key ${translationKey}`)
    }
    assert.match(String(await withWrongKey.problem()), /status 403; correct DEEPL_API_KEY/)
  })
})
