import type { TObject } from 'typebox'

/** The form of an error response. */
export type ErrorStyle =
  /** `{ error: CODE, message }`: every endpoint that no other party prescribes (HTTP-8), and managed-stream outputs. */
  | 'coded'
  /** `{ success: false, message }`: catalogue, lifecycle, text-to-speech, audio authentication. */
  | 'envelope'
  /** `{ error: message }`: account, gallery, permissions, transcripts, phone endpoints. */
  | 'bare'
  /** `{ code: STATUS, error_code, msg }`: `/auth/v1`, as clients of Supabase Auth read it. */
  | 'supabase'

/** An entry of the error catalogue. */
export interface ErrorEntry {
  readonly status: number
  readonly message: string
  /** Overrides the style of the endpoint. */
  readonly style?: ErrorStyle
  /** Schema of additional fields; its first example is shown in the documentation. */
  readonly extraFields?: TObject
}

/** Errors that any endpoint may return. */
export const coreErrors = {
  BAD_REQUEST: { status: 400, message: 'Invalid request' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  NO_SESSION: { status: 401, message: 'No active session found' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  RETIRED_PATH: {
    status: 410,
    message: 'This path of an older developer API no longer exists; the developer API is at /api/console',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type is not supported' },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  INTERNAL: { status: 500, message: 'Internal server error' },
  NODE_UNAVAILABLE: { status: 503, message: 'The session cannot be reached at the moment; try again' },
  INSUFFICIENT_STORAGE: {
    status: 507,
    message: 'The disk of the server is full; the operator must make space',
  },
  NOT_READY: { status: 503, message: 'The server is starting or stopping' },
} as const satisfies Record<string, ErrorEntry>

/** Errors of the endpoints that phones call (glasses-socket.md §3). */
export const phoneErrors = {
  /** Newer phones reconnect and retry on exactly this text (glasses-socket.md §7). */
  NO_ACTIVE_SESSION: { status: 503, message: 'NO_ACTIVE_SESSION' },
  LIVEKIT_NOT_CONFIGURED: {
    status: 404,
    message: 'LiveKit is not configured; send audio over the glasses socket',
  },
  WEARER_PHOTO_NOT_FOUND: { status: 404, message: 'No photo is requested with this id' },
  SOUND_NOT_FOUND: { status: 404, message: 'No app plays a sound with this id' },
  SOUND_UNAVAILABLE: { status: 502, message: 'The sound cannot be fetched' },
  INCIDENT_NOT_FOUND: { status: 404, message: 'Incident not found' },
  INCIDENT_LOGS_FULL: { status: 413, message: 'An incident may have at most 1 MiB of logs' },
  INCIDENT_FILES_REQUIRED: { status: 400, message: 'At least one file is required, in the field files' },
  ONBOARDING_FORBIDDEN: { status: 403, message: 'You may only read and change your own onboarding state' },
} as const satisfies Record<string, ErrorEntry>
