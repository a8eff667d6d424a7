import { Type } from 'typebox'
import type { ErrorEntry } from './core.ts'

/** Errors of settings and of the storage of apps (app-socket.md §3.1, glasses-socket.md §3.5 and glasses-socket.md §3.6). */
export const settingsErrors = {
  TOO_MANY_SETTINGS: { status: 400, message: 'Too many settings; delete some first' },
  STORAGE_FORBIDDEN: { status: 403, message: 'The app is neither installed nor running for this user' },
  STORAGE_EMPTY: { status: 404, message: 'The storage is empty' },
  STORAGE_KEY_NOT_FOUND: { status: 404, message: 'Key not found' },
  STORAGE_FULL: { status: 413, message: 'An app may store at most 1 MB in 10,000 keys per user' },
} as const satisfies Record<string, ErrorEntry>

/** Errors of `/api/permissions`. */
export const permissionsErrors = {
  APP_FORBIDDEN: {
    status: 403,
    message: 'Unauthorized',
    extraFields: Type.Object(
      { message: Type.String() },
      { examples: [{ message: 'You may not see the permissions of this app' }] },
    ),
  },
  PERMISSIONS_NOT_AN_ARRAY: { status: 400, message: 'Permissions must be an array' },
  PERMISSION_NOT_DECLARED: { status: 400, message: 'The app does not declare this permission' },
  INVALID_PERMISSION_TYPE: { status: 400, message: 'Invalid permission type' },
} as const satisfies Record<string, ErrorEntry>

/** Errors of `/api/account*` (decisions A1 to A5 and I6). */
export const accountErrors = {
  USER_UNREADABLE: { status: 500, message: 'Failed to fetch user data' },
  PROFILE_NOT_UPDATED: { status: 500, message: 'Failed to update user profile' },
  ACCOUNT_NOT_DELETED: { status: 500, message: 'Failed to delete user account' },
  PRIVACY_NOT_UPDATED: { status: 500, message: 'Failed to update privacy settings' },
  EXPORT_ID_REQUIRED: { status: 400, message: 'Export ID is required' },
  EXPORT_REQUEST_NOT_FOUND: { status: 404, message: 'Export request not found' },
  EXPORT_NOT_FOUND: { status: 404, message: 'Export not found' },
  EXPORT_FILE_NOT_FOUND: { status: 404, message: 'Export file not found' },
  EXPORT_NOT_READY: { status: 400, message: 'Export is not ready for download' },
  EXPORT_NOT_OWNED: { status: 403, message: 'Not authorized to access this export' },
  TOO_MANY_EXPORTS: {
    status: 429,
    message: 'You have 10 data exports, which is the limit; each is deleted 24 hours after completion',
  },
  PACKAGE_NAME_REQUIRED: { status: 400, message: 'Package name is required' },
  NO_WEB_AUTHENTICATION: { status: 400, message: 'App does not support web authentication' },
  TOKEN_NOT_GENERATED: { status: 500, message: 'Failed to generate authentication token' },
} as const satisfies Record<string, ErrorEntry>
