import type { ErrorEntry } from './error.ts'

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
