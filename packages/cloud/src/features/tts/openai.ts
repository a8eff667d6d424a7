import { type HttpProvider, httpProblem, requestSpeech } from './http-provider.ts'
import type { TextToSpeech } from './text-to-speech.ts'

/** What the adapter needs to know. */
export interface OpenAiOptions extends Pick<HttpProvider, 'dispatcher'> {
  /** Servers of one's own often want none. */
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly voice: string | undefined
  readonly model: string | undefined
}

/** OpenAI, or any server with its `/v1/audio/speech`. Of the settings it knows the speed. */
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
