import type { Logger } from 'pino'
import { type Config, nodeFolder } from '../../config/index.ts'
import type { Clock } from '../../time/index.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer, type SpeechSynthesizerDeps } from './speech-synthesizer.ts'

/** Folder of the cache, which each node has on its own disk. */
const CACHE_FOLDER = 'tts-cache'

export interface OpenSpeechSynthesizerDeps {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly count: SpeechSynthesizerDeps['count']
}

export interface OpenedSpeechSynthesizer {
  /** Undefined if text-to-speech is switched off, or the settings of the provider are invalid. */
  readonly synthesizer: SpeechSynthesizer | undefined
  close(): Promise<void>
}

/** Opens the configured speech synthesizer. Invalid settings are logged and disable text-to-speech. */
export async function openSpeechSynthesizer(
  deps: OpenSpeechSynthesizerDeps,
): Promise<OpenedSpeechSynthesizer> {
  const { config, clock, log, count } = deps
  if (config.tts.provider === 'none') return { synthesizer: undefined, close: async () => {} }
  // Loaded only if text-to-speech is configured, to keep startup fast.
  const { createTextToSpeech } = await import('./create-text-to-speech.ts')
  const configured = await createTextToSpeech(config.tts)
  if (!configured.ok) {
    if (configured.problem !== undefined) log.warn(`text-to-speech is off: ${configured.problem}`)
    return { synthesizer: undefined, close: async () => {} }
  }
  const cache = await SpeechCache.open(nodeFolder(config.data, CACHE_FOLDER), config.tts.cacheBytes, log)
  const synthesizer = new SpeechSynthesizer({ provider: configured.provider, cache, clock, count })
  return {
    synthesizer,
    async close() {
      await synthesizer.close()
      await configured.close()
    },
  }
}
