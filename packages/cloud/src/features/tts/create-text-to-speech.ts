import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import type { Config } from '../../config/index.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { WorkerMetrics } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { VoicePool } from '../local-speech/index.ts'
import type { InstalledModels } from '../speech-models/index.ts'
import { elevenLabs } from './elevenlabs.ts'
import { espeak } from './espeak.ts'
import {
  createFlitePool,
  DEFAULT_FLITE_VOICE,
  type FlitePool,
  findFliteVoice,
  flite,
  unknownVoiceMessage,
} from './flite/flite.ts'
import { defaultVoiceProblem } from './local/choose-voice.ts'
import { localVoices } from './local/local-voices.ts'
import { openAi } from './openai.ts'
import type { TextToSpeech } from './text-to-speech.ts'

/** The configured provider, or the reason why there is none. */
export type ConfiguredSpeech =
  /** `close` releases connections, threads and processes. */
  | { readonly ok: true; readonly provider: TextToSpeech; close(): Promise<void> }
  /** `problem` is undefined if text-to-speech is switched off. */
  | { readonly ok: false; readonly problem: string | undefined }

export interface TextToSpeechDeps {
  /** The voices of the provider `local`. */
  readonly models: InstalledModels
  readonly clock: Clock
  readonly log: Logger
  readonly workers?: Pick<WorkerMetrics, 'add'>
  readonly metrics?: Pick<Metrics, 'gauges'>
}

/** Creates the configured text-to-speech provider, which uses no resources before its first use. */
export async function createTextToSpeech(
  tts: Config['tts'],
  deps: TextToSpeechDeps,
): Promise<ConfiguredSpeech> {
  const { provider, apiKey, voice, model } = tts
  const baseUrl = tts.baseUrl?.href.replace(/\/+$/, '')
  switch (provider) {
    case 'none':
      return { ok: false, problem: undefined }
    case 'local':
      return createLocalVoices(voice, deps)
    case 'flite': {
      const name = voice ?? DEFAULT_FLITE_VOICE
      const defaultVoice = findFliteVoice(name)
      if (defaultVoice === undefined)
        return { ok: false, problem: `TTS_VOICE is invalid: ${unknownVoiceMessage(name)}` }
      const pool = startFlite(deps)
      return { ok: true, provider: flite({ voice: defaultVoice, pool }), close: () => pool.close() }
    }
    case 'elevenlabs': {
      if (apiKey === undefined)
        return { ok: false, problem: 'TTS_API_KEY is not set, which TTS_PROVIDER=elevenlabs needs' }
      const dispatcher = await createDispatcher()
      return overHttp(elevenLabs({ dispatcher, apiKey, baseUrl, voice, model }), dispatcher)
    }
    case 'openai': {
      const dispatcher = await createDispatcher()
      return overHttp(openAi({ dispatcher, apiKey, baseUrl, voice, model }), dispatcher)
    }
    case 'espeak':
      return { ok: true, provider: espeak({ voice }), close: async () => {} }
  }
}

function createLocalVoices(voice: string | undefined, deps: TextToSpeechDeps): ConfiguredSpeech {
  const problem = voice === undefined ? undefined : defaultVoiceProblem(voice)
  if (problem !== undefined) return { ok: false, problem: `TTS_VOICE is invalid: ${problem}` }
  const workers = startFlite(deps)
  const pool = new VoicePool(deps)
  if (deps.metrics) pool.addMetrics(deps.metrics)
  return {
    ok: true,
    provider: localVoices({ pool, flite: flite({ voice: DEFAULT_FLITE_VOICE, pool: workers }), voice }),
    async close() {
      pool.close()
      await workers.close()
    },
  }
}

/** Its threads are started with the first text. */
function startFlite({ workers }: TextToSpeechDeps): FlitePool {
  const pool = createFlitePool()
  workers?.add('flite', pool)
  return pool
}

/** The client is loaded only for providers that need it, to keep startup fast. */
async function createDispatcher(): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  return new Agent()
}

function overHttp(provider: TextToSpeech, dispatcher: Dispatcher): ConfiguredSpeech {
  return { ok: true, provider, close: () => dispatcher.destroy() }
}
