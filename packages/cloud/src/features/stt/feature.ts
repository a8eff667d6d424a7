import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import { createTranslator } from '../translation/index.ts'
import { createSpeechProviders } from './create-providers.ts'
import { SpeechGateway } from './speech-gateway.ts'
import type { SpeechToText } from './speech-to-text.ts'

/** Collaborators of speech-to-text. */
export interface SttDeps {
  readonly config: Pick<Config, 'stt' | 'translation'>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  /** Replaces the configured providers. */
  readonly providers?: readonly SpeechToText[] | undefined
}

/** Speech-to-text and translation for the sessions. */
export function createStt({
  config,
  metrics,
  clock,
  log,
  providers,
}: SttDeps): Feature & { readonly speech: SpeechGateway } {
  const { maxStreams, maxStreamsPerUser } = config.stt
  const translator = createTranslator(config.translation)
  const speech = new SpeechGateway({
    providers: providers ?? createSpeechProviders(config, clock),
    translator,
    maxStreams,
    maxStreamsPerUser,
    metrics,
    log,
  })
  return { name: 'stt', speech, close: async () => translator?.close() }
}
