import type { Logger } from 'pino'
import { type Config, nodeFolder } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import { createTextToSpeech } from './create-text-to-speech.ts'
import { speechEndpoints } from './endpoints.ts'
import { SpeechCache } from './speech-cache.ts'
import { SpeechSynthesizer } from './speech-synthesizer.ts'

export { createTextToSpeech } from './create-text-to-speech.ts'

/** Folder of the cache, which each node has on its own disk. */
const CACHE_FOLDER = 'tts-cache'

export interface TtsDeps {
  readonly config: Config
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
}

/** Text-to-speech, under `/api/tts`. Invalid settings of the provider are logged and disable it. */
export async function createTts({ config, metrics, clock, log }: TtsDeps): Promise<Feature> {
  const counter = metrics.counter('speech_total', 'Texts spoken, by where the sound came from', ['source'])
  const speech = await createTextToSpeech(config.tts)
  if (!speech.ok) {
    if (speech.problem !== undefined) log.warn(`text-to-speech is off: ${speech.problem}`)
    return { name: 'tts', endpoints: speechEndpoints({ synthesizer: undefined }) }
  }
  const { provider } = speech
  const cache = await SpeechCache.open(nodeFolder(config.data, CACHE_FOLDER), config.tts.cacheBytes, log)
  const synthesizer = new SpeechSynthesizer({
    provider,
    cache,
    clock,
    count: (source) => counter.inc({ source }),
  })
  return {
    name: 'tts',
    endpoints: speechEndpoints({ synthesizer }),
    async close() {
      await synthesizer.close()
      await speech.close()
    },
  }
}
