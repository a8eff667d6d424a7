import type { Dispatcher } from 'undici'
import type { Config } from '../../config/index.ts'
import { elevenLabs } from './elevenlabs.ts'
import { espeak } from './espeak.ts'
import { openAi } from './openai.ts'
import type { TextToSpeech } from './text-to-speech.ts'

/** The configured provider, or the reason why there is none. */
export type ConfiguredSpeech =
  | { readonly ok: true; readonly provider: TextToSpeech }
  /** `problem` is undefined if no provider is configured. */
  | { readonly ok: false; readonly problem: string | undefined }

/** Creates the configured text-to-speech provider. */
export function createTextToSpeech(tts: Config['tts'], dispatcher: Dispatcher): ConfiguredSpeech {
  const { provider, apiKey, voice, model } = tts
  const baseUrl = tts.baseUrl?.href.replace(/\/+$/, '')
  switch (provider) {
    case undefined:
      return { ok: false, problem: undefined }
    case 'elevenlabs':
      if (apiKey === undefined)
        return { ok: false, problem: 'TTS_API_KEY is not set, which TTS_PROVIDER=elevenlabs needs' }
      return { ok: true, provider: elevenLabs({ dispatcher, apiKey, baseUrl, voice, model }) }
    case 'openai':
      return { ok: true, provider: openAi({ dispatcher, apiKey, baseUrl, voice, model }) }
    case 'espeak':
      return { ok: true, provider: espeak({ voice }) }
  }
}
