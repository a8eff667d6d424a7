import { findLanguage, languageCode, regionalLanguage } from '@glasses-cloud/contract'
import type { Dispatcher } from 'undici'
import { type HttpTranslator, requestJson, translationOf } from './http-translator.ts'
import type { Translator } from './translator.ts'

const URLS = { free: 'https://api-free.deepl.com', pro: 'https://api.deepl.com' }
/** Target languages of which DeepL requires or distinguishes variants. */
const VARIANTS = ['EN-US', 'EN-GB', 'PT-BR', 'PT-PT', 'ZH', 'ZH-HANT']

/** DeepL. */
export function deepl(options: {
  readonly url: URL | undefined
  readonly apiKey: string
  readonly dispatcher: Dispatcher
}): Translator {
  const { url, apiKey, dispatcher } = options
  const service: HttpTranslator = {
    name: 'deepl',
    // Keys of the free plan end with `:fx` and have an address of their own.
    base: (url?.href ?? (apiKey.endsWith(':fx') ? URLS.free : URLS.pro)).replace(/\/+$/, ''),
    headers: { authorization: `DeepL-Auth-Key ${apiKey}` },
    dispatcher,
    statusKinds: {
      400: 'unsupported_language',
      401: 'authentication',
      403: 'authentication',
      456: 'quota',
    },
  }
  return {
    name: service.name,
    async translate({ text, source, target }) {
      const response = await requestJson(service, 'POST', '/v2/translate', {
        text: [text],
        target_lang: targetOf(target),
        ...(source === undefined ? {} : { source_lang: languageOf(source) }),
      })
      if (!response.ok) return { ok: false, failure: response }
      const { translations } = (response.body ?? {}) as { translations?: unknown }
      const [translation] = Array.isArray(translations) ? translations : []
      const detected: unknown = translation?.detected_source_language
      return translationOf(
        service.name,
        translation?.text,
        typeof detected === 'string' ? detected.toLowerCase() : undefined,
      )
    },
    async problem() {
      const response = await requestJson(service, 'GET', '/v2/usage')
      if (response.ok) return undefined
      const setting = response.kind === 'authentication' ? 'DEEPL_API_KEY' : 'DEEPL_URL'
      return `${response.message}; correct ${setting}`
    },
    close: () => dispatcher.destroy(),
  }
}

function languageOf(tag: string): string {
  const code = languageCode(tag).toUpperCase()
  return code === 'NO' ? 'NB' : code
}

function targetOf(tag: string): string {
  const language = languageOf(tag)
  if (language === 'ES' && regionalLanguage(tag) !== 'es-ES') return 'ES-419'
  return findLanguage(tag, VARIANTS) ?? language
}
