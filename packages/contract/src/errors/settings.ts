import type { ErrorEntry } from './error.ts'

/** Errors of settings and of the storage of apps (app-socket.md §3.1, glasses-socket.md §3.5 and glasses-socket.md §3.6). */
export const settingsErrors = {
  TOO_MANY_SETTINGS: { status: 400, message: 'Too many settings; delete some first' },
  STORAGE_FORBIDDEN: { status: 403, message: 'The app is neither installed nor running for this user' },
  STORAGE_EMPTY: { status: 404, message: 'The storage is empty' },
  STORAGE_KEY_NOT_FOUND: { status: 404, message: 'Key not found' },
  STORAGE_FULL: { status: 413, message: 'An app may store at most 1 MB in 10,000 keys per user' },
} as const satisfies Record<string, ErrorEntry>
