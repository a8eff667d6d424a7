import type { Finding } from '@glasses-cloud/contract'
import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import { RecognizerPool } from '../features/local-speech/index.ts'
import type { InstalledModels } from '../features/speech-models/index.ts'
import { createSpeechProviders, localRecognizer, type SpeechToText } from '../features/stt/index.ts'
import { createTranslator } from '../features/translation/index.ts'
import { type ConfiguredSpeech, createTextToSpeech } from '../features/tts/index.ts'
import type { SpeechFailure } from '../session/index.ts'
import { systemClock } from '../time/index.ts'
import { failure, note, ok } from './finding.ts'
import { withInstalledModels } from './installed-models.ts'

/** The text-to-speech of a cloud, and the installed models, some of which are its voices. */
export interface CheckedSpeech {
  readonly speech: ConfiguredSpeech
  readonly models: InstalledModels
}

/** Checks the configured text-to-speech as `checkSpeechOf` does, with what it starts for that only. */
export async function checkSpeech(config: Config, models: InstalledModels): Promise<Finding[]> {
  const log = pino({ level: 'silent' })
  const speech = await createTextToSpeech(config.tts, { models, clock: systemClock, log })
  try {
    return await checkSpeechOf(config, { speech, models })
  } finally {
    if (speech.ok) await speech.close()
  }
}

/**
 * Checks that a text-to-speech provider responds and accepts the key, or that its default voice can be loaded, without
 * synthesizing speech.
 */
export async function checkSpeechOf({ tts }: Config, { speech, models }: CheckedSpeech): Promise<Finding[]> {
  if (!speech.ok) {
    const disabled = 'TTS_PROVIDER is none; GET /api/tts reports that it is not configured'
    return [speech.problem === undefined ? note('speech', disabled) : failure('speech', speech.problem)]
  }
  const { provider } = speech
  const problem = await provider.problem()
  if (problem !== undefined) return [failure('speech', problem)]
  const noVoice = 'TTS_VOICE is not set; every request must name a voice'
  return [
    ok('speech', `${tts.provider} responds${tts.provider === 'local' ? `; ${describeVoices(models)}` : ''}`),
    ...(provider.voice === undefined ? [note('speech', noVoice)] : []),
  ]
}

function describeVoices(models: InstalledModels): string {
  const voices = models.list().filter(({ kind }) => kind === 'voice')
  if (voices.length === 0) return 'no voice is installed, and flite speaks English'
  return `installed voices: ${voices.map(({ id, languages }) => `${id} (${languages.join(' ')})`).join(', ')}`
}

const PART = 'speech to text'
const READY_TIMEOUT_MS = 10_000
/** Half a second of silence. */
const SILENCE = new Uint8Array(16_000)

/** The setting to correct, by provider. */
const SETTINGS: Readonly<Record<string, { readonly key: string; readonly url: string }>> = {
  soniox: { key: 'SONIOX_API_KEY', url: 'SONIOX_URL' },
  deepgram: { key: 'DEEPGRAM_API_KEY', url: 'DEEPGRAM_URL' },
  wyoming: { key: 'WYOMING_URL', url: 'WYOMING_URL' },
  vosk: { key: 'VOSK_URL', url: 'VOSK_URL' },
  openai: { key: 'OPENAI_STT_API_KEY', url: 'OPENAI_STT_URL' },
}

/** Opens a session with every speech-to-text provider on another machine, and asks the translation provider without translating. */
export async function checkTranscription(config: Config): Promise<Finding[]> {
  const remote = config.stt.providers.filter(({ name }) => name !== 'local')
  const providers = createSpeechProviders(
    { stt: { ...config.stt, providers: remote } },
    { clock: systemClock },
  )
  const findings =
    config.stt.providers.length === 0
      ? [note(PART, 'STT_PROVIDERS names no provider; phones recognize speech')]
      : await Promise.all(providers.map((provider) => checkProvider(provider)))
  const translator = await createTranslator(config.translation)
  if (!translator) return findings
  const problem = await translator.problem()
  await translator.close()
  return [
    ...findings,
    problem === undefined
      ? ok('translation', `${translator.name} responds`)
      : failure('translation', problem),
  ]
}

/** Opens a session with a provider, sends silence and waits for the answer. */
async function checkProvider(provider: SpeechToText, language = 'en-US'): Promise<Finding> {
  const problem = await openSession(provider, language)
  if (!problem) return ok(PART, `${provider.name} accepts a session and answers`)
  const { key, url } = SETTINGS[provider.name] ?? { key: '', url: '' }
  switch (problem.kind) {
    case 'authentication':
      return failure(PART, `${problem.message}; correct ${key}`)
    case 'quota':
      return failure(PART, `${problem.message}; check the account`)
    case 'unsupported_language':
      return note(PART, `${problem.message}; apps that request it are served by other providers`)
    default:
      return failure(PART, url === '' ? problem.message : `${problem.message}; check the provider and ${url}`)
  }
}

/** Opens a session, sends silence and waits for the answer. @returns the failure, if any */
function openSession(provider: SpeechToText, language: string): Promise<SpeechFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<SpeechFailure | undefined>()
  const expire = (ms: number, what: string) =>
    systemClock.after(ms, () => resolve({ kind: 'retryable', message: `${provider.name} ${what}` }))
  let deadline = expire(READY_TIMEOUT_MS, 'does not accept a session in time')
  const stream = provider.open(
    { language, hints: [], identifiesLanguage: true },
    {
      ready() {
        deadline.cancel()
        deadline = expire(provider.finalizeTimeoutMs, 'accepts a session, but does not answer in time')
        stream.push(SILENCE)
        stream.finalize()
      },
      segment() {},
      finalized: () => resolve(undefined),
      failed: resolve,
    },
  )
  // The timers of the system clock do not keep the process alive.
  const keepAlive = setInterval(() => {}, 1_000)
  return promise.finally(() => {
    clearInterval(keepAlive)
    deadline.cancel()
    stream.close()
  })
}

/** Loads each installed recognizer in a process of its own, and lets it recognize silence. */
export async function checkLocalRecognizer(config: Config): Promise<Finding[]> {
  if (!config.stt.providers.some(({ name }) => name === 'local')) return []
  return withInstalledModels(config, async (installed) => {
    const recognizers = installed
      .list()
      .filter(({ kind }) => kind === 'recognizer' || kind === 'streaming-recognizer')
    if (recognizers.length === 0)
      return [note('speech to text', 'local has no model; the other providers and phones recognize speech')]
    const findings: Finding[] = []
    // One after the other, so that the memory of one is needed at a time.
    for (const model of recognizers) {
      const models: InstalledModels = { ...installed, list: () => [model] }
      const pool = new RecognizerPool({ models, clock: systemClock, log: pino({ level: 'silent' }) })
      const provider = { ...localRecognizer(pool), name: `local (${model.id})` }
      findings.push(await checkProvider(provider, model.languages[0]))
      pool.close()
    }
    return findings
  })
}
