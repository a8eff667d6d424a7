import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import { getSpeech } from './get-speech.ts'
import { openSpeechSynthesizer } from './open-speech-synthesizer.ts'

/** Collaborators of text-to-speech. */
export interface TtsDeps {
  readonly config: Config
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
}

/** Text-to-speech, under `/api/tts`. */
export async function createTts({ config, metrics, clock, log }: TtsDeps): Promise<Feature> {
  const speechCounter = metrics.counter('speech_total', 'Texts spoken, by where the sound came from', [
    'source',
  ])
  const speech = await openSpeechSynthesizer({
    config,
    clock,
    log,
    count: (source) => speechCounter.inc({ source }),
  })
  return {
    name: 'tts',
    endpoints: [getSpeech({ synthesizer: speech.synthesizer })],
    close: () => speech.close(),
  }
}
