import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import { createTranslator } from '../translation/index.ts'
import { deepgram } from './deepgram.ts'
import { openAi } from './openai.ts'
import { soniox } from './soniox.ts'
import { SpeechGateway } from './speech-gateway.ts'
import type { SpeechToText } from './speech-to-text.ts'
import { vosk } from './vosk.ts'
import { wyoming } from './wyoming.ts'

export { missingPocketsphinx, startPocketsphinxServer } from './pocketsphinx-server.ts'
export type { SpeechToText } from './speech-to-text.ts'

export interface SttDeps {
  readonly config: Pick<Config, 'stt' | 'translation'>
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly clock: Clock
  readonly log: Logger
  /** Replaces the configured providers. */
  readonly providers?: readonly SpeechToText[] | undefined
}

/** Speech-to-text and translation for the sessions. */
export async function createStt({
  config,
  metrics,
  tracing,
  clock,
  log,
  providers,
}: SttDeps): Promise<Feature & { readonly speech: SpeechGateway }> {
  const { maxStreams, maxStreamsPerUser } = config.stt
  const translator = await createTranslator(config.translation)
  const speech = new SpeechGateway({
    providers: providers ?? createSpeechProviders(config, clock),
    translator,
    maxStreams,
    maxStreamsPerUser,
    metrics,
    tracing,
    clock,
    log,
  })
  return { name: 'stt', speech, close: async () => translator?.close() }
}

/** Creates the configured speech-to-text providers, in order of preference. The phone is not among them. */
export function createSpeechProviders({ stt }: Pick<Config, 'stt'>, clock: Clock): SpeechToText[] {
  return stt.providers.map((provider) => createProvider(provider, clock))
}

function createProvider(provider: Config['stt']['providers'][number], clock: Clock): SpeechToText {
  switch (provider.name) {
    case 'soniox':
      return soniox({ ...provider, clock })
    case 'deepgram':
      return deepgram({ ...provider, clock })
    case 'wyoming':
      return wyoming(provider)
    case 'vosk':
      return vosk({ ...provider, clock })
    case 'openai':
      return openAi({ ...provider, clock })
  }
}
