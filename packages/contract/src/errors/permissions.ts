import { Type } from 'typebox'
import type { ErrorEntry } from './error.ts'

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
