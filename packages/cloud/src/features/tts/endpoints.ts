import {
  createValidator,
  findViolations,
  formatViolation,
  type VoiceSettings,
  voiceSettings,
} from '@glasses-cloud/contract'
import { spokenText } from '@glasses-cloud/contract/spoken-text'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { none } from '../../http/auth/index.ts'
import { PARTIAL_CONTENT, RANGE_HEADERS, sendContent } from '../../http/content.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { Fault, fault } from '../../http/fault.ts'
import { addressKey } from '../../http/request-origin.ts'
import { SpeechBudgetError } from './speech-budget.ts'
import { type SpeechSynthesizer, SynthesisLimitError } from './speech-synthesizer.ts'
import { SpeechProviderError, UnsupportedSpeechError } from './text-to-speech.ts'

export interface SpeechEndpointDeps {
  /** Undefined while no provider is configured. */
  readonly synthesizer: SpeechSynthesizer | undefined
}

/** Maximum characters of a text (decision M2). */
const MAX_CHARACTERS = 5_000

/** Voice and model names. They are inserted into URL paths, so they must not contain path characters. */
const VOICE_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.:+() -]{0,99}$'
const MODEL_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,199}$'

/** A range that can only be sent once the size is known. Players that play while they receive ask for `bytes=0-`. */
const NEEDS_SIZE = /^bytes=(?!0-$)/i

const settingsValidator = createValidator(voiceSettings)

export const speechEndpoints = ({ synthesizer }: SpeechEndpointDeps): Endpoint[] => [
  /** Returns the speech of a text as streamed MP3 (decision M2). Needs no credential: phones fetch it as plain media. */
  endpoint({
    method: 'GET',
    url: '/api/tts',
    summary: 'Speak a text',
    tags: ['speech'],
    style: 'envelope',
    auth: none,
    schema: {
      querystring: Type.Object({
        text: Type.String({ description: 'At most 5,000 characters' }),
        voice_id: Type.Optional(
          Type.String({ pattern: VOICE_NAME_PATTERN, description: 'A voice of the provider' }),
        ),
        model_id: Type.Optional(
          Type.String({ pattern: MODEL_NAME_PATTERN, description: 'A model of the provider' }),
        ),
        voice_settings: Type.Optional(
          Type.String({
            description:
              'A JSON object: stability, similarity_boost, style (0 to 1), use_speaker_boost, speed (0.7 to 1.2)',
          }),
        ),
      }),
      headers: Type.Object(RANGE_HEADERS),
      response: { 200: Type.String({ format: 'binary' }), ...PARTIAL_CONTENT },
    },
    media: { contentTypes: ['audio/mpeg'] },
    limits: { perMinute: (config) => config.limits.speechPerMinute },
    errors: [
      'TTS_TEXT_REQUIRED',
      'BAD_REQUEST',
      'TTS_VOICE_SETTINGS_INVALID',
      'TTS_VOICE_REQUIRED',
      'TTS_NOT_CONFIGURED',
      'TTS_PROVIDER_FAILED',
      'RANGE_NOT_SATISFIABLE',
      'RATE_LIMITED',
    ],
    invalid: ({ field }) => (field === 'text' ? 'TTS_TEXT_REQUIRED' : 'BAD_REQUEST'),
    handler: async ({ query, headers, request, reply }) => {
      const written = query.text.trim()
      if (written === '') throw fault('TTS_TEXT_REQUIRED')
      if ([...written].length > MAX_CHARACTERS)
        throw fault('BAD_REQUEST', { message: 'text must have at most 5,000 characters' })
      const settings = readVoiceSettings(query.voice_settings)
      if (synthesizer === undefined) throw fault('TTS_NOT_CONFIGURED')
      const voice = query.voice_id ?? synthesizer.voice
      if (voice === undefined) throw fault('TTS_VOICE_REQUIRED')
      const text = spokenText(written)
      const speechRequest = { text, voice, model: query.model_id ?? synthesizer.model, settings }
      const caller = addressKey(request.ip)
      const signal = abortOnClose(reply)
      try {
        if (request.method === 'HEAD' || NEEDS_SIZE.test(headers.range ?? '')) {
          const { bytes, open } = await synthesizer.complete(speechRequest, caller, signal)
          return await sendContent(request, reply.type('audio/mpeg'), { size: bytes, open })
        }
        const { stream, bytes } = await synthesizer.synthesize(speechRequest, caller, signal)
        reply.type('audio/mpeg')
        if (bytes === undefined) return reply.header('accept-ranges', 'bytes').send(stream)
        return await sendContent(request, reply, { size: bytes, open: async () => stream })
      } catch (error) {
        throw error instanceof Fault ? error : speechError(error, reply)
      }
    },
  }),
]

/** Aborts when the client disconnects. The end of the request is not the end of the connection. */
function abortOnClose({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}

/** Returns the error response for speech that could not be generated. */
function speechError(error: unknown, reply: FastifyReply): Fault {
  // The client has disconnected, so nothing is sent.
  if (reply.raw.destroyed) return fault('TTS_PROVIDER_FAILED')
  if (error instanceof SynthesisLimitError) {
    void reply.header('retry-after', '1')
    return fault('RATE_LIMITED')
  }
  if (error instanceof SpeechBudgetError) {
    void reply.header('retry-after', error.retryAfter)
    return fault('RATE_LIMITED', { message: error.message })
  }
  if (error instanceof UnsupportedSpeechError) return fault('BAD_REQUEST', { message: error.message })
  const status = error instanceof SpeechProviderError ? (error.status ?? null) : null
  return fault('TTS_PROVIDER_FAILED', { extra: { error: { hop: 'tts-provider', status } }, cause: error })
}

/**
 * Parses the `voice_settings` of a request. Unknown fields, such as those of newer providers, are dropped.
 * @throws Fault `TTS_VOICE_SETTINGS_INVALID` if it is invalid JSON or violates the schema
 */
function readVoiceSettings(text: string | undefined): VoiceSettings {
  if (text === undefined) return {}
  const value = Value.Clean(voiceSettings, parseJson(text))
  if (settingsValidator.Check(value)) return value
  const [violation] = findViolations(settingsValidator.Errors(value))
  if (violation === undefined || violation.field === '') throw fault('TTS_VOICE_SETTINGS_INVALID')
  throw fault('TTS_VOICE_SETTINGS_INVALID', { message: `voice_settings.${formatViolation(violation, '')}` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
