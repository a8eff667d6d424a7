import { Type } from 'typebox'
import type { ErrorEntry } from './error.ts'

/** Errors of recent audio, text-to-speech and transcripts (decisions M1 to M3). */
export const mediaErrors = {
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },

  AUDIO_CREDENTIALS_REQUIRED: {
    status: 401,
    message: 'Authentication required. Provide apiKey, packageName, and userId.',
    style: 'envelope',
  },
  AUDIO_INVALID_API_KEY: { status: 401, message: 'Invalid API key.', style: 'envelope' },
  AUDIO_UNAUTHORIZED_PACKAGE: { status: 403, message: 'Unauthorized package name', style: 'envelope' },
  AUDIO_USER_MISMATCH: { status: 400, message: 'userId must be the same in the path and in the query' },
  NO_AUDIO: { status: 404, message: 'No audio available' },
  NO_DECODABLE_AUDIO: { status: 404, message: 'No decodable audio available' },
  AUDIO_FAILED: { status: 500, message: 'Error fetching audio' },

  TTS_TEXT_REQUIRED: { status: 400, message: 'Text parameter is required and must be a string' },
  TTS_VOICE_REQUIRED: { status: 400, message: 'voice_id is required: no default voice is configured' },
  TTS_VOICE_SETTINGS_INVALID: { status: 400, message: 'Invalid voice_settings JSON format' },
  TTS_NOT_CONFIGURED: { status: 500, message: 'TTS the service not configured' },
  TTS_PROVIDER_FAILED: {
    status: 500,
    message: 'Internal server error',
    extraFields: Type.Object(
      {
        error: Type.Object({
          hop: Type.Literal('tts-provider'),
          status: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Null if the provider sent none',
          }),
        }),
      },
      { examples: [{ error: { hop: 'tts-provider', status: 503 } }] },
    ),
  },

  TRANSCRIPT_RANGE_REQUIRED: { status: 400, message: 'duration, startTime, or endTime is required' },
  TRANSCRIPTS_NOT_PERMITTED: { status: 403, message: 'The app does not declare the permission MICROPHONE' },
  TRANSCRIPTS_FAILED: { status: 500, message: 'Error fetching transcripts' },

  SPEECH_MODEL_NOT_FOUND: { status: 404, message: 'There is no speech model with this id' },
  SPEECH_MODEL_INVALID: { status: 400, message: 'The manifest of the speech model is invalid' },
  SPEECH_MODEL_UNREACHABLE: { status: 400, message: 'The manifest of the speech model cannot be fetched' },
  SPEECH_MODEL_INSTALLED: {
    status: 409,
    message: 'The speech model is installed; to install it again, remove it first',
  },
  SPEECH_MODEL_INSTALLING: { status: 409, message: 'The speech model is being installed' },
} as const satisfies Record<string, ErrorEntry>
