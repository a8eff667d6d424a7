import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Clock } from '../../session/index.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer, type SpeechSynthesizerDeps } from './speech-synthesizer.ts'

/** Where speech is kept, under the data folder. */
const folder = 'tts-cache'

/** What a speaker is opened with. */
export interface OpenSpeakerOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly count: SpeechSynthesizerDeps['count']
}

/** A speaker, if one is configured. */
export interface OpenedSpeaker {
  readonly speaker: SpeechSynthesizer | undefined
  close(): Promise<void>
}

/** Makes the speaker of a cloud. Settings that do not suffice are logged; the cloud runs without one then. */
export async function openSpeechSynthesizer(options: OpenSpeakerOptions): Promise<OpenedSpeaker> {
  const { config, clock, log, count } = options
  if (config.tts.provider === undefined) return { speaker: undefined, close: async () => {} }
  // Only a cloud that speaks loads what speaking needs.
  const [{ Agent }, { createTextToSpeech }] = await Promise.all([
    import('undici'),
    import('./create-text-to-speech.ts'),
  ])
  const dispatcher = new Agent()
  const configured = createTextToSpeech(config.tts, dispatcher)
  if (!configured.ok) {
    if (configured.problem !== undefined) log.warn(`text-to-speech is off: ${configured.problem}`)
    return { speaker: undefined, close: () => dispatcher.destroy() }
  }
  const cache = await SpeechCache.open(join(config.data.dir, folder), config.tts.cacheBytes, log)
  const speaker = new SpeechSynthesizer({ provider: configured.provider, cache, clock, count })
  return {
    speaker,
    async close() {
      await speaker.close()
      await dispatcher.destroy()
    },
  }
}
