import type { ErrorEntry } from './error.ts'

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
    message: 'Too many data exports; each export is deleted 24 hours after completion',
  },
  PACKAGE_NAME_REQUIRED: { status: 400, message: 'Package name is required' },
  NO_WEB_AUTHENTICATION: { status: 400, message: 'App does not support web authentication' },
  TOKEN_NOT_GENERATED: { status: 500, message: 'Failed to generate authentication token' },
} as const satisfies Record<string, ErrorEntry>
