import { type HttpProvider, httpProblem, requestSpeech } from './http-provider.ts'
import type { TextToSpeech } from './text-to-speech.ts'

export interface OpenAiOptions extends Pick<HttpProvider, 'dispatcher'> {
  /** Self-hosted servers often need none. */
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly voice: string | undefined
  readonly model: string | undefined
}

/** OpenAI, or any server with the endpoint `/v1/audio/speech`. Supports only the setting `speed`. */
export function openAi(options: OpenAiOptions): TextToSpeech {
  const { apiKey, baseUrl = 'https://api.openai.com', voice = 'alloy', model = 'tts-1' } = options
  const provider: HttpProvider = {
    base: baseUrl,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    dispatcher: options.dispatcher,
  }
  return {
    name: `openai ${baseUrl}`,
    voice,
    model,
    synthesize: ({ text, voice, model, settings: { speed } }, signal) =>
      requestSpeech(
        provider,
        '/v1/audio/speech',
        { input: text, voice, model, response_format: 'mp3', ...(speed === undefined ? {} : { speed }) },
        signal,
      ),
    problem: () => httpProblem(provider),
  }
}
