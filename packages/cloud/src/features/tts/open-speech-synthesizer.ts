import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Clock } from '../../session/index.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer, type SpeechSynthesizerDeps } from './speech-synthesizer.ts'

/** Folder of the cache in the data folder. */
const CACHE_FOLDER = 'tts-cache'

/** Each node has its own cache: nodes that share the data folder keep it on their own disk. */
function cacheFolder({ dir, isDirShared }: Config['data']): string {
  if (!isDirShared) return join(dir, CACHE_FOLDER)
  const name = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  return join(tmpdir(), `glasses-cloud-${CACHE_FOLDER}-${name}`)
}

export interface OpenSpeechSynthesizerDeps {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly count: SpeechSynthesizerDeps['count']
}

export interface OpenedSpeechSynthesizer {
  /** Undefined if no provider is configured, or its settings are invalid. */
  readonly synthesizer: SpeechSynthesizer | undefined
  close(): Promise<void>
}

/** Opens the configured speech synthesizer. Invalid settings are logged and disable text-to-speech. */
export async function openSpeechSynthesizer(
  deps: OpenSpeechSynthesizerDeps,
): Promise<OpenedSpeechSynthesizer> {
  const { config, clock, log, count } = deps
  if (config.tts.provider === undefined) return { synthesizer: undefined, close: async () => {} }
  // Loaded only if text-to-speech is configured, to keep startup fast.
  const [{ Agent }, { createTextToSpeech }] = await Promise.all([
    import('undici'),
    import('./create-text-to-speech.ts'),
  ])
  const dispatcher = new Agent()
  const configured = createTextToSpeech(config.tts, dispatcher)
  if (!configured.ok) {
    if (configured.problem !== undefined) log.warn(`text-to-speech is off: ${configured.problem}`)
    return { synthesizer: undefined, close: () => dispatcher.destroy() }
  }
  const cache = await SpeechCache.open(cacheFolder(config.data), config.tts.cacheBytes, log)
  const synthesizer = new SpeechSynthesizer({ provider: configured.provider, cache, clock, count })
  return {
    synthesizer,
    async close() {
      await synthesizer.close()
      await dispatcher.destroy()
    },
  }
}
