import type { ErrorEntry } from './error.ts'

/** Errors of authentication (interface specification, "Authentication"; decisions I2 to I5). */
export const identityErrors = {
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key for package.' },
  UNAUTHORIZED_PACKAGE: { status: 403, message: 'Unauthorized package name' },
} as const satisfies Record<string, ErrorEntry>
