import { type HttpProvider, httpProblem, requestSpeech } from './http-provider.ts'
import { partsOf } from './passages.ts'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'

export interface OpenAiOptions extends Pick<HttpProvider, 'dispatcher'> {
  /** Self-hosted servers often need none. */
  readonly apiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly voice: string | undefined
  readonly model: string | undefined
}

/** Characters that every model of OpenAI accepts: some accept 4,096, others 2,000 tokens, which are fewer. */
const PART_CHARACTERS = 2_000

/** Responses to a text that is too long. */
const REJECTIONS = [400, 413, 422]

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
    async synthesize({ text, voice, model, settings: { speed } }, signal) {
      const request = (input: string) =>
        requestSpeech(
          provider,
          '/v1/audio/speech',
          { input, voice, model, response_format: 'mp3', ...(speed === undefined ? {} : { speed }) },
          signal,
        )
      try {
        return await request(text)
      } catch (error) {
        // Other servers have other limits, or none.
        const isRejected = error instanceof SpeechProviderError && REJECTIONS.includes(error.status ?? 0)
        const [first = '', ...rest] = partsOf(text, 'und', PART_CHARACTERS)
        if (!isRejected || rest.length === 0) throw error
        return joined(await request(first), rest, request)
      }
    },
    problem: () => httpProblem(provider),
  }
}

/** The sound of several parts; each is requested when the one before has been read. */
async function* joined(
  first: AsyncIterable<Uint8Array>,
  rest: readonly string[],
  request: (part: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  yield* first
  for (const part of rest) yield* await request(part)
}
