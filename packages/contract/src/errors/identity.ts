import type { ErrorEntry } from './core.ts'

/** Errors of authentication (decisions I2 to I5). */
export const identityErrors = {
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  ADMINISTRATOR_REQUIRED: { status: 403, message: 'Only administrators may do this' },
  TOKEN_SCOPE_REQUIRED: {
    status: 403,
    message: 'The personal access token lacks the scope that this requires; create one that has it',
  },
  TOO_MANY_PERSONAL_TOKENS: { status: 409, message: 'You have 50 personal access tokens; revoke one first' },
  LOGIN_NOT_FOUND: { status: 404, message: 'Login not found' },
  PERSONAL_TOKEN_NOT_FOUND: { status: 404, message: 'Personal access token not found' },
  CROSS_SITE_REQUEST: { status: 403, message: 'Requests from pages of other sites are not allowed' },
  SIGN_IN_REJECTED: { status: 401, message: 'Invalid e-mail address or password' },
  INVALID_PASSWORD: { status: 400, message: 'The current password is wrong' },
  CURRENT_PASSWORD_REQUIRED: {
    status: 400,
    message:
      'The present password is required (current_password); to set one without it, request a link by e-mail',
  },
  PASSWORD_LENGTH: { status: 400, message: 'The password must have 8 to 128 characters' },
  PASSWORD_COMMON: { status: 400, message: 'This password is one of the most used. Choose another one' },
  PASSWORD_CONTAINS_ADDRESS: {
    status: 400,
    message: 'The password contains your e-mail address. Choose another one',
  },
  PASSWORD_GUESSABLE: {
    status: 400,
    message: 'This password is easy to guess. Make it longer, with several words that do not belong together',
  },
  SECOND_FACTOR_UNSUPPORTED: {
    status: 403,
    message: 'The account requires a code of an authenticator app, which this sign-in cannot ask for',
  },
  REFRESH_TOKEN_REJECTED: { status: 400, message: 'The refresh token is unknown or its login has ended' },
  REFRESH_TOKEN_REUSED: { status: 400, message: 'The refresh token was used before; its login ended' },
  SECOND_FACTOR_EXISTS: { status: 400, message: 'Codes of an authenticator app are required already' },
  SECOND_FACTOR_MISSING: { status: 400, message: 'No codes of an authenticator app are required' },
  SECOND_FACTOR_REJECTED: {
    status: 401,
    message:
      'The code is wrong or was used already; enter the one that your authenticator app shows now, or an unused backup code',
  },
  EMAIL_NOT_VERIFIED: { status: 403, message: 'Confirm your e-mail address first; a link was sent to it' },
  VERIFICATION_REJECTED: {
    status: 400,
    message: 'The link is invalid, used or expired; request another one',
  },
  ADDRESS_NOT_CONFIRMED: {
    status: 403,
    message: 'The e-mail address is not confirmed; the console sends its user a link',
  },
  NEW_PASSWORD_REQUIRED: {
    status: 409,
    message: 'The account was created in another browser; set a new password to take it over',
  },
  OIDC_SIGN_IN_REJECTED: { status: 401, message: 'The sign-in was not completed; try again' },
  OIDC_EMAIL_MISSING: {
    status: 403,
    message:
      'The identity provider sent no e-mail address. Add one to your account there; if it has one, the operator of this cloud can name the claim (emailClaim)',
  },
  OIDC_EMAIL_NOT_VERIFIED: {
    status: 403,
    message:
      'The identity provider does not say that your e-mail address is verified. Verify it there; if that is not possible, the operator of this cloud can trust its addresses (trustEmail)',
  },
  ACCOUNT_LINK_REQUIRED: {
    status: 409,
    message:
      'An account with your e-mail address exists here. Sign in to it first; then the other one is linked',
  },
  OIDC_ACCOUNT_TAKEN: {
    status: 409,
    message: 'The account at the identity provider belongs to another user of this cloud',
  },
  LINKED_ACCOUNT_NOT_FOUND: { status: 404, message: 'Linked account not found' },
  LAST_SIGN_IN_METHOD: {
    status: 409,
    message: 'You could no longer sign in: set a password or add a passkey first',
  },
  PASSKEYS_UNAVAILABLE: {
    status: 501,
    message: 'Passkeys require an https address with a host name, or http://localhost',
  },
  PASSKEY_REJECTED: { status: 401, message: 'The passkey was not accepted; try again' },
  PASSKEY_REGISTRATION_REJECTED: { status: 400, message: 'The passkey could not be registered; try again' },
  PASSKEY_NOT_FOUND: { status: 404, message: 'Passkey not found' },
  TOO_MANY_PASSKEYS: { status: 409, message: 'You have 20 passkeys; delete one first' },
  RECENT_SIGN_IN_REQUIRED: { status: 403, message: 'Sign in again first: your sign-in is over an hour old' },
  DELETION_NOT_CONFIRMED: {
    status: 400,
    message: 'Enter the e-mail address of your account in email, to confirm that it is deleted',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: 'This account is suspended; ask the operator of this cloud',
  },
  ACCOUNT_EXISTS: {
    status: 422,
    message: 'An account with this e-mail address exists; sign in, or reset its password',
  },
  SIGN_UP_CLOSED: {
    status: 403,
    message: 'This cloud accepts no new accounts; ask its operator for one',
  },
  INVITATION_REQUIRED: {
    status: 403,
    message:
      'This cloud requires an invitation, and the one here is missing, used, expired or for another address; ask its operator for one',
  },
  TOO_MANY_DEVICE_SIGN_INS: {
    status: 503,
    message: 'Too many device sign-ins are in progress; try again later',
  },
  DEVICE_SIGN_IN_NOT_FOUND: {
    status: 404,
    message: 'The code is unknown or has expired; compare it with the device, or let that show a new one',
  },
  REACHABILITY_CODE_INVALID: {
    status: 404,
    message: 'The code is unknown, was used, or has expired; show a new one',
  },
  // The messages are the error codes of RFC 8628.
  DEVICE_AUTHORIZATION_PENDING: { status: 400, message: 'authorization_pending' },
  DEVICE_SLOW_DOWN: { status: 400, message: 'slow_down' },
  DEVICE_ACCESS_DENIED: { status: 400, message: 'access_denied' },
  DEVICE_CODE_EXPIRED: { status: 400, message: 'expired_token' },
  DEVICE_CODE_INVALID: { status: 400, message: 'invalid_grant' },
  SIGN_UP_INVITATION_NOT_FOUND: { status: 404, message: 'Invitation not found' },
  SET_UP_CODE_REQUIRED: {
    status: 403,
    message:
      "The set-up code is missing or wrong; it is in the server's log, and the first account requires it",
  },
  ACCOUNT_REQUEST_REJECTED: { status: 400, message: 'email must be an e-mail address' },
  TOO_MANY_ATTEMPTS: { status: 429, message: 'Too many attempts; try again later' },
  TOO_MANY_PASSWORDS: {
    status: 503,
    message: 'Too many passwords are being verified; try again in a few seconds',
  },
  INVALID_API_KEY: { status: 401, message: 'Invalid API key for package.' },
  SIGN_IN_TOKEN_REQUIRED: { status: 400, message: 'No token provided' },
  SIGN_IN_UNAVAILABLE: { status: 503, message: 'The identity provider cannot be reached; try again later' },
  SIGN_IN_NOT_CONFIGURED: {
    status: 501,
    message: 'No identity provider is configured for this type of token',
  },
  UNAUTHORIZED_PACKAGE: { status: 403, message: 'Unauthorized package name' },
} as const satisfies Record<string, ErrorEntry>
