import type { ErrorEntry } from './error.ts'

/** Errors of `/api/tools` (app-socket.md §3.3). */
export const toolsErrors = {
  TOOL_USER_MISMATCH: { status: 403, message: 'userId must be the user that the credential authenticates' },
  TOOLS_FORBIDDEN: { status: 403, message: 'The app is not installed for this user' },
  TOOL_NOT_FOUND: { status: 404, message: 'Tool not found' },
  TOOL_FAILED: { status: 502, message: 'The app failed to run the tool' },
  TOOL_TIMEOUT: { status: 504, message: 'The app did not respond in time' },
} as const satisfies Record<string, ErrorEntry>
