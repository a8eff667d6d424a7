import type { ErrorEntry } from './error.ts'

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
