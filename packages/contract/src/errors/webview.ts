import type { ErrorEntry } from './error.ts'

/** Errors of the tokens for web views of apps (app socket protocol, 3.5). */
export const webviewErrors = {
  WEBVIEW_TOKEN_INVALID: { status: 401, message: 'Invalid or expired token' },
  NOT_HASHABLE: {
    status: 403,
    message: 'Only the public address of this cloud and your own e-mail can be hashed',
  },
  APP_NOT_YOURS: { status: 403, message: 'The app is neither installed nor your own' },
  STORE_NOT_CONFIGURED: { status: 501, message: 'This cloud is told of no store' },
  STORE_FORBIDDEN: { status: 403, message: 'Only the store of this cloud gets such a token' },
  APP_WITHOUT_KEY: { status: 409, message: 'The app has no API key' },
} as const satisfies Record<string, ErrorEntry>
