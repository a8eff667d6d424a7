import { apiAddress } from './api-address.ts'
import type { EnvReader } from './env.ts'
import type { SettingName } from './settings/index.ts'

/** The settings of one speech-to-text provider. */
export type SpeechProviderConfig =
  | { readonly name: 'local' }
  | { readonly name: 'soniox'; readonly apiKey: string; readonly url: URL | undefined }
  | {
      readonly name: 'deepgram'
      readonly apiKey: string
      readonly url: URL | undefined
      readonly model: string | undefined
    }
  | { readonly name: 'wyoming'; readonly url: URL }
  /** `languages`: of its model; empty: any. */
  | { readonly name: 'vosk'; readonly url: URL; readonly languages: readonly string[] }
  | {
      readonly name: 'openai'
      readonly apiKey: string | undefined
      readonly url: URL | undefined
      readonly model: string | undefined
    }

export interface SpeechToTextConfig {
  /** In order of preference; empty if only the phone recognizes speech. `local` needs a model. */
  readonly providers: readonly SpeechProviderConfig[]
  readonly maxStreams: number
  readonly maxStreamsPerUser: number
}

/** The settings of the translation provider. */
export type TranslationConfig =
  | { readonly provider: 'libretranslate'; readonly url: URL; readonly apiKey: string | undefined }
  | { readonly provider: 'deepl'; readonly url: URL | undefined; readonly apiKey: string }

const LOCAL = 'local'
const PROVIDERS = [LOCAL, 'soniox', 'deepgram', 'wyoming', 'vosk', 'openai'] as const
const PHONE = 'phone'
const LANGUAGE = /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i
/** The client of sockets accepts the addresses of web servers too. */
const SOCKET_SCHEMES = ['ws', 'wss', 'http', 'https']

/** Reads the settings of speech-to-text. A provider that is listed without its address or key is reported. */
export function readSpeechToText(read: EnvReader): SpeechToTextConfig {
  const listed = read.list('STT_PROVIDERS', [LOCAL, PHONE], namePattern(), [...PROVIDERS, PHONE].join(', '))
  const unused = listed[listed.indexOf(PHONE) + 1]
  if (listed.includes(PHONE) && unused !== undefined)
    read.reject('STT_PROVIDERS', `must name phone last, because ${unused} would never be used after it`)
  const settings = readProviders(read)
  return {
    providers: listed.flatMap((name) => {
      const provider = settings.find((candidate) => candidate.name === name)
      if (!provider) return []
      if ('missing' in provider) {
        read.required(provider.missing, `set, because STT_PROVIDERS lists ${name}`)
        return []
      }
      return provider
    }),
    maxStreams: read.integer('STT_MAX_STREAMS', 500, { min: 1, max: 100_000 }),
    maxStreamsPerUser: read.integer('STT_MAX_STREAMS_PER_USER', 4, { min: 1, max: 50 }),
  }
}

/** Reads the settings of the translation provider; undefined: translations require a provider that translates. */
export function readTranslation(read: EnvReader): TranslationConfig | undefined {
  const provider = read.oneOf('TRANSLATION_PROVIDER', ['libretranslate', 'deepl'], undefined)
  const libreUrl = read.apiBase('LIBRETRANSLATE_URL', '/translate', 'http://127.0.0.1:5000')
  const libreKey = read.text('LIBRETRANSLATE_API_KEY', undefined)
  const deeplUrl = read.apiBase('DEEPL_URL', '/v2/translate', 'https://api.deepl.com')
  const deeplKey = read.text('DEEPL_API_KEY', undefined)
  const requireSetting = (name: SettingName) =>
    read.required(name, `set, because TRANSLATION_PROVIDER is ${provider}`)
  if (provider === 'libretranslate') {
    if (libreUrl) return { provider, url: libreUrl, apiKey: libreKey }
    requireSetting('LIBRETRANSLATE_URL')
  } else if (provider === 'deepl') {
    if (deeplKey !== undefined) return { provider, url: deeplUrl, apiKey: deeplKey }
    requireSetting('DEEPL_API_KEY')
  }
  return undefined
}

interface MissingSetting {
  readonly name: SpeechProviderConfig['name']
  /** The setting that the provider requires. */
  readonly missing: SettingName
}

/** Reads the settings of every provider, whether it is used or not, so that invalid values are always reported. */
function readProviders(read: EnvReader): (SpeechProviderConfig | MissingSetting)[] {
  const socket = (name: SettingName, example: string) => {
    const url = read.url(name, SOCKET_SCHEMES, example)
    return url && apiAddress(url, new URL(example).pathname)
  }
  const sonioxKey = read.text('SONIOX_API_KEY', undefined)
  const sonioxUrl = socket('SONIOX_URL', 'wss://stt-rt.soniox.com/transcribe-websocket')
  const deepgramKey = read.text('DEEPGRAM_API_KEY', undefined)
  const deepgramUrl = socket('DEEPGRAM_URL', 'wss://api.deepgram.com/v1/listen')
  const deepgramModel = read.text('DEEPGRAM_MODEL', undefined)
  const wyomingUrl = read.url('WYOMING_URL', ['tcp'], 'tcp://127.0.0.1:10300')
  const voskUrl = socket('VOSK_URL', 'ws://127.0.0.1:2700')
  const voskLanguages = read.list('VOSK_LANGUAGES', [], LANGUAGE, 'languages such as en-US')
  const openAiUrl = socket('OPENAI_STT_URL', 'wss://api.openai.com/v1/realtime')
  const openAiKey = read.text('OPENAI_STT_API_KEY', undefined)
  const openAiModel = read.text('OPENAI_STT_MODEL', undefined)
  return [
    { name: LOCAL },
    sonioxKey === undefined
      ? { name: 'soniox', missing: 'SONIOX_API_KEY' }
      : { name: 'soniox', apiKey: sonioxKey, url: sonioxUrl },
    deepgramKey === undefined
      ? { name: 'deepgram', missing: 'DEEPGRAM_API_KEY' }
      : { name: 'deepgram', apiKey: deepgramKey, url: deepgramUrl, model: deepgramModel },
    wyomingUrl === undefined
      ? { name: 'wyoming', missing: 'WYOMING_URL' }
      : { name: 'wyoming', url: wyomingUrl },
    voskUrl === undefined
      ? { name: 'vosk', missing: 'VOSK_URL' }
      : { name: 'vosk', url: voskUrl, languages: voskLanguages },
    // Other servers than OpenAI's may need no key.
    openAiKey === undefined && openAiUrl === undefined
      ? { name: 'openai', missing: 'OPENAI_STT_API_KEY' }
      : { name: 'openai', apiKey: openAiKey, url: openAiUrl, model: openAiModel },
  ]
}

function namePattern(): RegExp {
  return new RegExp(`^(${[...PROVIDERS, PHONE].join('|')})$`)
}
