import type { ErrorEntry } from './error.ts'

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
