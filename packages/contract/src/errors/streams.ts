import type { ErrorEntry } from './error.ts'

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
