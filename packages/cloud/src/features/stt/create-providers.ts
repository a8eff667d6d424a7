import type { Config } from '../../config/index.ts'
import type { Clock } from '../../time/index.ts'
import { deepgram } from './deepgram.ts'
import { openAi } from './openai.ts'
import { soniox } from './soniox.ts'
import type { SpeechToText } from './speech-to-text.ts'
import { vosk } from './vosk.ts'
import { wyoming } from './wyoming.ts'

type ProviderConfig = Config['stt']['providers'][number]

/** Creates the configured speech-to-text providers, in order of preference. The phone is not among them. */
export function createSpeechProviders({ stt }: Pick<Config, 'stt'>, clock: Clock): SpeechToText[] {
  return stt.providers.map((provider) => createProvider(provider, clock))
}

function createProvider(provider: ProviderConfig, clock: Clock): SpeechToText {
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
