import type { Dispatcher } from 'undici'
import { baseUrlOf } from '../../http/request-origin.ts'
import { type HttpTranslator, requestJson, translationOf } from './http-translator.ts'
import type { Translator } from './translator.ts'

/** LibreTranslate, which runs on one's own machines. */
export function libreTranslate(options: {
  readonly url: URL
  readonly apiKey: string | undefined
  readonly dispatcher: Dispatcher
}): Translator {
  const { url, apiKey, dispatcher } = options
  const service: HttpTranslator = {
    name: 'libretranslate',
    base: baseUrlOf(url),
    headers: {},
    dispatcher,
    // 403: the key is invalid or missing; 400: among others, the language is not installed.
    statusKinds: { 400: 'unsupported_language', 401: 'authentication', 403: 'authentication' },
  }
  return {
    name: service.name,
    async translate({ text, source, target }) {
      const response = await requestJson(service, 'POST', '/translate', {
        q: text,
        source: source === undefined ? 'auto' : codeOf(source),
        target: codeOf(target),
        format: 'text',
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
      })
      if (!response.ok) return { ok: false, failure: response }
      const { translatedText, detectedLanguage } = (response.body ?? {}) as Record<string, unknown>
      const detected = (detectedLanguage ?? {}) as Record<string, unknown>
      return translationOf(service.name, translatedText, detected.language)
    },
    async problem() {
      const response = await requestJson(service, 'GET', '/languages')
      if (!response.ok) return `${response.message}; correct LIBRETRANSLATE_URL`
      const hasLanguages = Array.isArray(response.body) && response.body.length > 0
      return hasLanguages ? undefined : 'libretranslate has no languages; install its models'
    },
    close: () => dispatcher.destroy(),
  }
}

/** LibreTranslate distinguishes the scripts of Chinese, and no other regions. */
function codeOf(tag: string): string {
  if (/^zh-(TW|HK)$/.test(tag)) return 'zt'
  return tag.split('-', 1)[0] ?? tag
}
