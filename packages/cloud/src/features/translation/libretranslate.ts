import { findLanguage } from '@glasses-cloud/contract'
import type { Dispatcher } from 'undici'
import { baseUrlOf } from '../../http/request-origin.ts'
import type { SpeechFailure } from '../../session/index.ts'
import { type HttpTranslator, requestJson, translationOf } from './http-translator.ts'
import type { Translator } from './translator.ts'

/** The tags of codes of LibreTranslate that are none. */
const TAGS: Readonly<Record<string, string>> = { zt: 'zh-Hant', pb: 'pt-BR' }

/** The codes of the installed models, by language tag. */
type Languages =
  | { readonly ok: true; readonly codes: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly failure: SpeechFailure; readonly remedy: string }

/** LibreTranslate, which runs on one's own machines. Its models have codes of their own, which it lists. */
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
  /** Kept until a translation fails: models may be installed meanwhile. */
  let known: Languages | undefined
  return {
    name: service.name,
    async translate({ text, source, target }) {
      known = known?.ok ? known : await loadLanguages(service)
      if (!known.ok) return known
      const { codes } = known
      const unknown = [source, target].find((tag) => tag !== undefined && codeOf(tag, codes) === undefined)
      const response =
        unknown === undefined
          ? await requestJson(service, 'POST', '/translate', {
              q: text,
              source: source === undefined ? 'auto' : codeOf(source, codes),
              target: codeOf(target, codes),
              format: 'text',
              ...(apiKey === undefined ? {} : { api_key: apiKey }),
            })
          : unsupported(unknown)
      if (!response.ok) {
        known = undefined
        return { ok: false, failure: response }
      }
      const { translatedText, detectedLanguage } = (response.body ?? {}) as Record<string, unknown>
      const { language } = (detectedLanguage ?? {}) as Record<string, unknown>
      return translationOf(service.name, translatedText, language === undefined ? language : tagOf(language))
    },
    async problem() {
      const languages = await loadLanguages(service)
      return languages.ok ? undefined : `${languages.failure.message}; ${languages.remedy}`
    },
    close: () => dispatcher.destroy(),
  }
}

async function loadLanguages(service: HttpTranslator): Promise<Languages> {
  const response = await requestJson(service, 'GET', '/languages')
  if (!response.ok) return { ok: false, failure: response, remedy: 'correct LIBRETRANSLATE_URL' }
  const { body } = response
  const list: readonly unknown[] = Array.isArray(body) ? body : []
  const codes = list.map((entry) => String(Object(entry).code))
  if (codes.length > 0) return { ok: true, codes: new Map(codes.map((code) => [tagOf(code), code])) }
  const failure = { kind: 'retryable', message: 'libretranslate has no languages' } as const
  return { ok: false, failure, remedy: 'install its models' }
}

function codeOf(tag: string, codes: ReadonlyMap<string, string>): string | undefined {
  return codes.get(findLanguage(tag, [...codes.keys()]) ?? '')
}

function tagOf(code: unknown): string {
  return TAGS[String(code)] ?? String(code)
}

function unsupported(tag: string) {
  const message = `libretranslate has no model for ${tag}`
  return { ok: false, kind: 'unsupported_language', message } as const
}
