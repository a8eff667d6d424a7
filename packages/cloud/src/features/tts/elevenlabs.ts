import { type HttpProvider, httpProblem, requestSpeech } from './http-provider.ts'
import type { TextToSpeech } from './text-to-speech.ts'

export interface ElevenLabsOptions extends Pick<HttpProvider, 'dispatcher'> {
  readonly apiKey: string
  readonly baseUrl: string | undefined
  readonly voice: string | undefined
  readonly model: string | undefined
}

/** ElevenLabs, or a server with its streaming endpoint. Has no default voice. */
export function elevenLabs(options: ElevenLabsOptions): TextToSpeech {
  const { apiKey, baseUrl = 'https://api.elevenlabs.io', voice, model = 'eleven_flash_v2_5' } = options
  const provider = { base: baseUrl, headers: { 'xi-api-key': apiKey }, dispatcher: options.dispatcher }
  return {
    name: `elevenlabs ${baseUrl}`,
    voice,
    model,
    synthesize: ({ text, voice, model, settings }, signal) =>
      requestSpeech(
        provider,
        `/v1/text-to-speech/${encodeURIComponent(voice)}/stream`,
        {
          text,
          model_id: model,
          ...(Object.keys(settings).length === 0 ? {} : { voice_settings: settings }),
        },
        signal,
      ),
    problem: () => httpProblem(provider),
  }
}
