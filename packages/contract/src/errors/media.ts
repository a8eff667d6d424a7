import { Type } from 'typebox'
import type { ErrorEntry } from './core.ts'

/** Errors of `/api/streams/:streamId/outputs` (decision M4). */
export const streamsErrors = {
  INVALID_URL: { status: 400, message: 'url must be an rtmp:// or rtmps:// URL with a host' },
  NOT_A_VIEWER: { status: 403, message: 'App is not viewing the stream' },
  NOT_AUTHORIZED: { status: 403, message: 'App did not add this output' },
  STREAM_NOT_FOUND: { status: 404, message: 'Managed stream not found' },
  OUTPUT_NOT_FOUND: { status: 404, message: 'Output not found' },
  MAX_OUTPUTS_REACHED: { status: 409, message: 'Stream already has 10 outputs' },
  MAX_APP_OUTPUTS_REACHED: { status: 409, message: 'App already has 10 outputs' },
  DUPLICATE_URL: { status: 409, message: 'URL already exists as an output' },
  STREAMING_PROVIDER_ERROR: { status: 502, message: 'Error from the external streaming provider' },
  INTERNAL_ERROR: { status: 500, message: 'Internal error' },
} as const satisfies Record<string, ErrorEntry>

/** Errors of `/api/gallery` and `/api/photos`. */
export const galleryErrors = {
  GALLERY_FETCH_FAILED: { status: 500, message: 'Failed to fetch gallery photos' },
  PHOTO_NOT_FOUND: { status: 404, message: 'Photo not found' },
  PHOTO_NOT_YOURS: { status: 403, message: 'Not authorized to delete this photo' },
  PHOTO_DELETE_FAILED: { status: 500, message: 'Failed to delete photo' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The range is outside the file' },
  PHOTO_REQUIRED: { status: 400, message: 'A photo is required, in the field photo or file' },
  PHOTO_TYPE_UNSUPPORTED: { status: 415, message: 'A photo must be a JPEG, PNG or WebP image' },
  VIDEO_REQUIRED: { status: 400, message: 'A video is required, in the field video or file' },
  VIDEO_TYPE_UNSUPPORTED: { status: 415, message: 'A video must be an MP4 file' },
  VIDEO_TOO_LARGE: { status: 413, message: 'A video may be at most 100 MiB' },
  PHOTO_TOO_LARGE: { status: 413, message: 'A photo may be at most 10 MiB' },
  GALLERY_FULL: { status: 413, message: 'The gallery is full; delete some photos first' },
  TOO_MANY_UPLOADS: { status: 429, message: 'Too many uploads at a time; wait until one has ended' },
  PHOTO_REQUEST_OVER: { status: 404, message: 'The photo request has ended' },
  PHOTO_UPLOAD_FAILED: { status: 500, message: 'Failed to store the photo' },
} as const satisfies Record<string, ErrorEntry>

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
