import type { ErrorEntry } from './error.ts'

/** Errors of authentication (decisions I2 to I5). */
export const identityErrors = {
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key for package.' },
  SIGN_IN_TOKEN_REQUIRED: { status: 400, message: 'supabaseToken, authingToken or idToken is required' },
  SIGN_IN_UNAVAILABLE: { status: 503, message: 'The identity provider cannot be reached' },
  SIGN_IN_NOT_CONFIGURED: {
    status: 501,
    message: 'No identity provider is configured for this type of token',
  },
  UNAUTHORIZED_PACKAGE: { status: 403, message: 'Unauthorized package name' },
} as const satisfies Record<string, ErrorEntry>
