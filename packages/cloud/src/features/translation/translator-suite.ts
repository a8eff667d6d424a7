import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type FakeTranslationService,
  translationKey,
  unknownLanguage,
} from './testing/fake-translation-service.ts'
import type { Translator } from './translator.ts'

/** An adapter under test, with its service. */
export interface TranslatorUnderTest {
  readonly translator: Translator
  readonly service: FakeTranslationService
  /** The same adapter with a key that the service rejects. */
  readonly withWrongKey: Translator
  /** Kind of failure when the account is exhausted: services without accounts limit the rate. */
  readonly exhaustedFailure: 'quota' | 'retryable'
}

const SECRET = 'secret words'

/** Tests the contract of `Translator`. */
export function translatorSuite(start: (t: TestContext) => Promise<TranslatorUnderTest>): void {
  const request = { text: SECRET, source: 'de-DE', target: 'en-US' }

  /** The kind of the failure, whose message must be harmless. */
  async function failureOf(translator: Translator, changes: { readonly target?: string } = {}) {
    const result = await translator.translate({ ...request, ...changes })
    assert.ok(!result.ok)
    assert.doesNotMatch(result.failure.message, new RegExp(`${SECRET}|${translationKey}|wrong-key`, 'i'))
    return result.failure.kind
  }

  test('STT-60: any text is translated between two languages', async (t) => {
    const { translator } = await start(t)
    for (const text of ['Grüße "\\\n', '<b>&amp;</b> {x}', '👓', 'word '.repeat(1_000), 'source=auto']) {
      const result = await translator.translate({ text, source: 'de-DE', target: 'en-US' })
      assert.equal(result.ok && result.text, text.toUpperCase())
    }
    for (const [source, target] of [
      ['en-US', 'de-AT'],
      ['en', 'pt-PT'],
      ['pt-BR', 'en-GB'],
      ['es-MX', 'zh-TW'],
      ['zh-Hant', 'nb-NO'],
      ['no', 'cmn-Hans-CN'],
    ]) {
      const result = await translator.translate({ text: 'x', source: String(source), target: String(target) })
      assert.ok(result.ok, `${source} to ${target}`)
    }
    assert.equal(await translator.problem(), undefined)
  })

  test('STT-60: the language of a text is detected, and returned as a lower-case code', async (t) => {
    const { translator } = await start(t)
    const detected = await translator.translate({ text: 'hola', target: 'en-US' })
    assert.deepEqual(detected, { ok: true, text: 'HOLA', detectedLanguage: 'es' })
  })

  test('STT-60: translations at the same time do not get mixed up', async (t) => {
    const { translator } = await start(t)
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const results = await Promise.all(texts.map((text) => translator.translate({ ...request, text })))
    assert.deepEqual(
      results.map((result) => result.ok && result.text),
      texts.map((text) => text.toUpperCase()),
    )
  })

  test('STT-61: a rejected key and an unsupported language are distinguished', async (t) => {
    const { translator, withWrongKey } = await start(t)
    assert.equal(await failureOf(withWrongKey), 'authentication')
    assert.equal(await failureOf(translator, { target: unknownLanguage }), 'unsupported_language')
  })

  test('STT-61: a service that fails or does not keep its protocol can be tried again', async (t) => {
    const { translator, service, exhaustedFailure } = await start(t)
    for (const fault of ['overloaded', 'broken', 'endless', 'drop'] as const) {
      service.fault = fault
      assert.equal(await failureOf(translator), 'retryable', fault)
      assert.match(String(await translator.problem()), /; correct [A-Z]+_(URL|API_KEY)/, fault)
    }
    service.fault = 'exhausted'
    assert.equal(await failureOf(translator), exhaustedFailure)
    service.fault = undefined
    for (const garbage of ['', '<html>', 'null', '{}', '[]', '{"translatedText":1,"translations":[{}]}']) {
      service.garbage = garbage
      assert.equal(await failureOf(translator), 'retryable', garbage)
    }
    service.garbage = undefined
    assert.ok((await translator.translate(request)).ok)
  })

  test('STT-61: a translator that was closed fails, and does not reject', async (t) => {
    const { translator } = await start(t)
    await translator.close()
    assert.equal(await failureOf(translator), 'retryable')
  })
}
