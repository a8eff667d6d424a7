import type { ErrorEntry } from './error.ts'

/** Errors of `/api/tools` (app socket protocol, 3.3). */
export const toolsErrors = {
  TOOL_USER_MISMATCH: { status: 403, message: 'userId must be the user whom the credential speaks for' },
  TOOLS_FORBIDDEN: { status: 403, message: 'The app is not installed for this user' },
  TOOL_NOT_FOUND: { status: 404, message: 'The app has no such tool' },
  TOOL_FAILED: { status: 502, message: 'The app could not use the tool' },
  TOOL_TIMEOUT: { status: 504, message: 'The app did not answer in time' },
} as const satisfies Record<string, ErrorEntry>
