import type { ErrorEntry } from './error.ts'

/** Errors of settings and of the storage of apps (app socket protocol, 3.1; glasses socket protocol, 3.5 and 3.6). */
export const settingsErrors = {
  TOO_MANY_SETTINGS: { status: 400, message: 'There are too many settings; remove some first' },
  STORAGE_FORBIDDEN: { status: 403, message: 'The app neither is installed nor runs for this user' },
  STORAGE_EMPTY: { status: 404, message: 'Nothing is stored' },
  STORAGE_KEY_NOT_FOUND: { status: 404, message: 'Nothing is stored under this key' },
  STORAGE_FULL: { status: 413, message: 'An app may store 1 MB in 10,000 keys for a user' },
} as const satisfies Record<string, ErrorEntry>
