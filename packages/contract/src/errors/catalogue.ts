import { Type } from 'typebox'
import type { ErrorEntry } from './error.ts'

/** Errors of `/api/apps*` (decisions C1 to C12). */
export const catalogueErrors = {
  APP_NOT_FOUND: { status: 404, message: 'App not found' },
  APP_ALREADY_INSTALLED: { status: 400, message: 'App is already installed' },
  APP_NOT_INSTALLED: { status: 400, message: 'App is not installed' },
  APP_TO_UNINSTALL_NOT_FOUND: { status: 404, message: 'App is not installed' },
  SYSTEM_APP_NOT_UNINSTALLABLE: { status: 403, message: 'System apps cannot be uninstalled' },
  SEARCH_QUERY_REQUIRED: { status: 400, message: 'Search query is required' },
  HARDWARE_INCOMPATIBLE: { status: 400, message: 'The connected glasses lack required hardware' },
  APP_START_FAILED: {
    status: 500,
    message: 'Error starting app',
    extraFields: Type.Object(
      {
        error: Type.Optional(
          Type.Object(
            {
              stage: Type.String({ description: 'The step that failed' }),
              code: Type.String(),
              retryable: Type.Boolean({ description: 'Whether the same start may succeed later' }),
            },
            { description: 'Absent when the cloud itself failed' },
          ),
        ),
      },
      { examples: [{ error: { stage: 'WEBHOOK', code: 'ECONNREFUSED', retryable: true } }] },
    ),
  },
  APP_STOP_FAILED: { status: 500, message: 'Error stopping app' },
} as const satisfies Record<string, ErrorEntry>
