import type { ErrorEntry } from './error.ts'

/** Errors of the endpoints that phones call (glasses socket protocol, 3). */
export const phoneErrors = {
  /** The very word that makes newer phones reconnect and call again (gotcha 33). */
  NO_ACTIVE_SESSION: { status: 503, message: 'NO_ACTIVE_SESSION' },
  LIVEKIT_NOT_CONFIGURED: {
    status: 404,
    message: 'LiveKit is not configured; send audio over the glasses socket',
  },
  WEARER_PHOTO_NOT_FOUND: { status: 404, message: 'No such photo is to be taken' },
  INCIDENT_NOT_FOUND: { status: 404, message: 'No such incident' },
  INCIDENT_LOGS_FULL: { status: 413, message: 'An incident may have 1 MiB of logs' },
  INCIDENT_FILES_REQUIRED: { status: 400, message: 'A file is required, in the field files' },
  ONBOARDING_FORBIDDEN: { status: 403, message: 'This is not yours to ask or to say' },
} as const satisfies Record<string, ErrorEntry>
