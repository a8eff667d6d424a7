import { Type } from 'typebox'
import type { ErrorEntry } from './core.ts'

/** Errors of tokens for web views of apps (app-socket.md §3.5). */
export const webviewErrors = {
  WEBVIEW_TOKEN_INVALID: { status: 401, message: 'Invalid or expired token' },
  NOT_HASHABLE: {
    status: 403,
    message: 'Only the public URL of this cloud and your own e-mail address can be hashed',
  },
  APP_NOT_YOURS: { status: 403, message: 'You have neither installed nor developed this app' },
  STORE_NOT_CONFIGURED: { status: 501, message: 'No app store is configured' },
  STORE_FORBIDDEN: { status: 403, message: 'Only the configured app store may request this token' },
  APP_WITHOUT_KEY: { status: 409, message: 'The app has no API key' },
} as const satisfies Record<string, ErrorEntry>

/** Errors of `/api/tools` (app-socket.md §3.3). */
export const toolsErrors = {
  TOOL_USER_MISMATCH: { status: 403, message: 'userId must be the user that the credential authenticates' },
  TOOLS_FORBIDDEN: { status: 403, message: 'The app is not installed for this user' },
  TOOL_NOT_FOUND: { status: 404, message: 'Tool not found' },
  TOOL_FAILED: { status: 502, message: 'The app failed to run the tool' },
  TOOL_TIMEOUT: { status: 504, message: 'The app did not respond in time' },
} as const satisfies Record<string, ErrorEntry>

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
