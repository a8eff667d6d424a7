import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { Clock } from '../../time/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import { RecognizerPool, SpotterPool } from '../local-speech/index.ts'
import type { InstalledModels } from '../speech-models/index.ts'
import { createTranslator } from '../translation/index.ts'
import { deepgram } from './deepgram.ts'
import { localRecognizer } from './local.ts'
import { openAi } from './openai.ts'
import { soniox } from './soniox.ts'
import { SpeechGateway } from './speech-gateway.ts'
import type { SpeechToText } from './speech-to-text.ts'
import { vosk } from './vosk.ts'
import { wyoming } from './wyoming.ts'

export { localRecognizer } from './local.ts'
export { missingPocketsphinx, startPocketsphinxServer } from './pocketsphinx-server.ts'
export type { SpeechToText } from './speech-to-text.ts'
export { wyoming } from './wyoming.ts'

export interface SttDeps {
  readonly config: Pick<Config, 'stt' | 'translation'>
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly clock: Clock
  readonly log: Logger
  /** The models of the provider `local`. */
  readonly models: InstalledModels
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
  models,
  providers,
}: SttDeps): Promise<Feature & { readonly speech: SpeechGateway; readonly recognizers: RecognizerPool }> {
  const { maxStreams, maxStreamsPerUser } = config.stt
  const translator = await createTranslator(config.translation)
  const recognizers = new RecognizerPool({ models, clock, log })
  recognizers.addMetrics(metrics)
  const wakeWords = new SpotterPool({ models, clock, log })
  wakeWords.addMetrics(metrics)
  const speech = new SpeechGateway({
    providers: providers ?? createSpeechProviders(config, { clock, recognizers }),
    translator,
    wakeWords,
    maxStreams,
    maxStreamsPerUser,
    onInstalled: (listener) => models.onChange(listener),
    metrics,
    tracing,
    clock,
    log,
  })
  const close = async () => {
    recognizers.close()
    wakeWords.close()
    await translator?.close()
  }
  return { name: 'stt', speech, recognizers, close }
}

export interface SpeechProviderDeps {
  readonly clock: Clock
  /** The recognizers of the provider `local`, if it is configured. */
  readonly recognizers?: RecognizerPool
}

/** Creates the configured speech-to-text providers, in order of preference. The phone is not among them. */
export function createSpeechProviders(
  { stt }: Pick<Config, 'stt'>,
  deps: SpeechProviderDeps,
): SpeechToText[] {
  return stt.providers.flatMap((provider) => createProvider(provider, deps) ?? [])
}

function createProvider(
  provider: Config['stt']['providers'][number],
  { clock, recognizers }: SpeechProviderDeps,
): SpeechToText | undefined {
  switch (provider.name) {
    case 'local':
      return recognizers && localRecognizer(recognizers)
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
