import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { type GuessLimiter, normalizeEmail } from '../../../identity/index.ts'
import type { AccountHolders } from '../account-holders.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { type GuessPurpose, limitGuesses } from '../guess-limits.ts'
import { sendLink } from '../links.ts'
import {
  coded,
  emailField,
  newPasswordField,
  passwordField,
  sessionToken,
  sessionUser,
  success,
  toSessionUser,
} from '../schemas.ts'
import type { PendingSignIns } from '../second-factor/pending-sign-ins.ts'
import type { PasswordAccounts } from './password-accounts.ts'
import { WEAK_PASSWORD_ERRORS } from './password-policy.ts'

export interface PasswordEndpointDeps {
  readonly accounts: PasswordAccounts
  readonly pendingSignIns: PendingSignIns
  readonly browserLogins: BrowserLogins
  readonly holders: AccountHolders
  readonly guesses: GuessLimiter
}

const done = { success: true } as const

const requested = Type.Object({ success: Type.Literal(true), message: Type.String() })

/**
 * Signs in with e-mail address and password. The response is the same, and takes as long, for an unknown address and for
 * a wrong password.
 */
const signInEmail = ({ accounts, pendingSignIns, browserLogins, holders, guesses }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    summary: 'Sign in with e-mail address and password',
    ...coded,
    auth: ownPages,
    schema: {
      body: Type.Object(
        {
          email: emailField,
          password: passwordField,
          rememberMe: Type.Optional(
            Type.Boolean({
              description: 'Whether the browser keeps the session when it closes; default: true',
            }),
          ),
        },
        { title: 'SignIn' },
      ),
      response: {
        200: Type.Object(
          {
            token: sessionToken,
            user: Type.Union([Type.Null(), sessionUser]),
            twoFactorRedirect: Type.Boolean({
              description:
                'Whether a code is required: POST /api/auth/two-factor/verify-totp completes the sign-in',
            }),
          },
          { title: 'SignedIn' },
        ),
      },
    },
    errors: [
      'SIGN_IN_REJECTED',
      'EMAIL_NOT_VERIFIED',
      'ACCOUNT_SUSPENDED',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_PASSWORDS',
    ],
    handler: async ({ body, request, reply }) => {
      const { password, rememberMe = true } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('SIGN_IN_REJECTED')
      const succeeded = await limitGuesses({ guesses, browserLogins }, { request, reply }, 'sign-in', email)
      const { user, hash } = await accounts.authenticate(email, password, (id) => holders.remember(reply, id))
      await succeeded()
      const confirm = async () => {
        if (!(await accounts.isCurrent(user, hash))) throw fault('SIGN_IN_REJECTED')
      }
      if (user.hasSecondFactor && !(await pendingSignIns.isTrusted(user, request, reply))) {
        await pendingSignIns.start(user, reply, confirm)
        browserLogins.setRemembered(request, reply, rememberMe)
        return { token: null, user: null, twoFactorRedirect: true }
      }
      const token = await browserLogins.start(user, request, reply, { isRemembered: rememberMe, confirm })
      return { token, user: toSessionUser(user), twoFactorRedirect: false }
    },
  })

/** Sends a link, if the address has such an account. The response is the same, after a similar time, if it does not. */
const requestLink = (
  deps: PasswordEndpointDeps,
  {
    url,
    summary,
    title,
    purpose,
    message,
    send,
  }: Record<'url' | 'summary' | 'title' | 'message', string> & {
    readonly purpose: GuessPurpose
    readonly send: (email: string) => Promise<void>
  },
) =>
  endpoint({
    method: 'POST',
    url,
    summary,
    ...coded,
    auth: ownPages,
    schema: { body: Type.Object({ email: emailField }, { title }), response: { 200: requested } },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      await sendLink(deps, { request, reply }, { email: body.email, purpose, send })
      return { ...done, message }
    },
  })

/** Sets a new password with the token of such a link, and logs the user out everywhere. */
const resetPassword = ({ accounts, browserLogins, holders }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/reset-password',
    summary: 'Set a new password with the token of a reset link',
    ...coded,
    auth: ownPages,
    schema: {
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 200 }), newPassword: newPasswordField },
        { title: 'PasswordReset' },
      ),
      response: { 200: success },
    },
    errors: ['VERIFICATION_REJECTED', 'TOO_MANY_PASSWORDS', ...WEAK_PASSWORD_ERRORS],
    handler: async ({ body: { token, newPassword }, request, reply }) => {
      const user = await accounts.resetPassword(token, newPassword, (id) => holders.isHolder(request, id))
      // Guesses of strangers must not delay the sign-in that follows.
      await browserLogins.remember(user, request, reply)
      return done
    },
  })

/** Changes the password of the session's user, who must know the present one, and ends their other logins. */
const changePassword = ({ accounts, browserLogins, guesses }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/change-password',
    summary: 'Change your password; requires the session cookie',
    ...coded,
    auth: coreToken,
    schema: {
      body: Type.Object(
        {
          currentPassword: passwordField,
          newPassword: newPasswordField,
          revokePersonalTokens: Type.Optional(
            Type.Boolean({ description: 'Whether your personal access tokens are revoked; default: true' }),
          ),
        },
        { title: 'PasswordChange' },
      ),
      response: { 200: success },
    },
    errors: ['INVALID_PASSWORD', 'TOO_MANY_ATTEMPTS', 'TOO_MANY_PASSWORDS', ...WEAK_PASSWORD_ERRORS],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(
        { guesses, browserLogins },
        { request, reply },
        'password',
        caller.user.id,
      )
      const login = await browserLogins.requireOwn(request, caller)
      const { user } = caller
      const { currentPassword, newPassword, revokePersonalTokens: revokeTokens = true } = body
      const hash = await accounts.changePassword(user, currentPassword, newPassword, { revokeTokens })
      const confirm = async () => {
        if (!(await accounts.isCurrent(user, hash))) throw fault('INVALID_PASSWORD')
      }
      await browserLogins.start(user, request, reply, {
        isRemembered: !login.endsWithBrowser,
        confirm,
      })
      await succeeded()
      return done
    },
  })

/**
 * Confirms an address with the token of such a link; outside the browser of the account's holder, with a new password.
 */
const verifyEmail = ({ accounts, browserLogins, holders }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/verify-email',
    summary: 'Confirm your e-mail address with the token of a link',
    ...coded,
    auth: ownPages,
    schema: {
      body: Type.Object(
        {
          token: Type.String({ minLength: 1, maxLength: 2_000 }),
          newPassword: Type.Optional(
            Type.String({
              ...newPasswordField,
              description:
                'Required in another browser than the one that created the account, whose content is then deleted',
            }),
          ),
        },
        { title: 'Verification' },
      ),
      response: { 200: success },
    },
    errors: ['VERIFICATION_REJECTED', 'NEW_PASSWORD_REQUIRED', ...WEAK_PASSWORD_ERRORS],
    handler: async ({ body: { token, newPassword }, request, reply }) => {
      const isHolder = (id: string) => holders.isHolder(request, id)
      const confirmed = await accounts.confirmEmail(token, newPassword, isHolder)
      if (confirmed !== undefined) await browserLogins.remember(confirmed, request, reply)
      return done
    },
  })

/** The endpoints for sign-ins with passwords, and the confirmation of addresses. */
export const passwordEndpoints = (deps: PasswordEndpointDeps) => [
  signInEmail(deps),
  requestLink(deps, {
    url: '/api/auth/request-password-reset',
    summary: 'Request a link to reset your password',
    title: 'PasswordResetRequest',
    purpose: 'password-reset',
    message: 'If the address has an account, a link was sent to it',
    send: (email) => deps.accounts.requestReset(email),
  }),
  resetPassword(deps),
  changePassword(deps),
  requestLink(deps, {
    url: '/api/auth/send-verification-email',
    summary: 'Request a link to confirm your e-mail address',
    title: 'VerificationRequest',
    purpose: 'verification',
    message: 'If the address has an unconfirmed account, a link was sent to it',
    send: (email) => deps.accounts.requestConfirmation(email),
  }),
  verifyEmail(deps),
]
