import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { coreToken, ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { type GuessLimiter, normalizeEmail, type UserStore } from '../../../identity/index.ts'
import { limitGuesses } from '../guess-limits.ts'
import {
  emailField,
  newPasswordField,
  passwordField,
  sessionToken,
  sessionUser,
  success,
  tags,
  toSessionUser,
} from '../schemas.ts'
import type { PendingSignIns } from '../second-factor/pending-sign-ins.ts'
import type { WebSessions } from '../web-sessions.ts'
import type { Accounts } from './accounts.ts'

export interface PasswordEndpointDeps {
  readonly accounts: Accounts
  readonly pendingSignIns: PendingSignIns
  readonly sessions: WebSessions
  readonly guesses: GuessLimiter
  readonly users: UserStore
}

/** Time of a response that must not reveal whether an account exists, by how much longer storing a token takes. */
const UNIFORM_RESPONSE_MS = 250

const done = { success: true } as const

const requested = Type.Object({ success: Type.Literal(true), message: Type.String() })

/**
 * Signs in with e-mail address and password. The response is the same, and takes as long, for an unknown address and for
 * a wrong password.
 */
const signInEmail = ({ accounts, pendingSignIns, sessions, guesses }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    summary: 'Sign in with e-mail address and password',
    tags,
    style: 'coded',
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
    errors: ['SIGN_IN_REJECTED', 'EMAIL_NOT_VERIFIED', 'ACCOUNT_SUSPENDED', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const { password, rememberMe = true } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('SIGN_IN_REJECTED')
      const succeeded = await limitGuesses(guesses, { request, reply }, 'sign-in', email)
      const user = await accounts.authenticate(email, password)
      await succeeded()
      if (user.hasSecondFactor && !(await pendingSignIns.isTrusted(user, request, reply))) {
        sessions.setRemembered(request, reply, rememberMe)
        await pendingSignIns.start(user, reply)
        return { token: null, user: null, twoFactorRedirect: true }
      }
      const token = await sessions.start(user, request, reply, rememberMe)
      return { token, user: toSessionUser(user), twoFactorRedirect: false }
    },
  })

/** Sends a link to reset the password. The response is the same for an address without an account. */
const requestPasswordReset = ({ accounts, guesses }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/request-password-reset',
    summary: 'Request a link to reset your password',
    tags,
    style: 'coded',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField }, { title: 'PasswordResetRequest' }),
      response: { 200: requested },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const email = normalizeEmail(body.email)
      if (email !== undefined) {
        await limitGuesses(guesses, { request, reply }, 'password-reset', email)
        const uniform = delay(UNIFORM_RESPONSE_MS)
        await accounts.requestReset(email)
        await uniform
      }
      return { ...done, message: 'If the address has an account, a link was sent to it' }
    },
  })

/** Sets a new password with the token of such a link, and logs the user out everywhere. */
const resetPassword = ({ accounts }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/reset-password',
    summary: 'Set a new password with the token of a reset link',
    tags,
    style: 'coded',
    auth: ownPages,
    schema: {
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 200 }), newPassword: newPasswordField },
        { title: 'PasswordReset' },
      ),
      response: { 200: success },
    },
    errors: ['VERIFICATION_REJECTED'],
    handler: async ({ body: { token, newPassword } }) => {
      await accounts.resetPassword(token, newPassword)
      return done
    },
  })

/** Changes the password of the session's user, who must know the present one, and ends their other logins. */
const changePassword = ({ accounts, sessions, guesses }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/change-password',
    summary: 'Change your password; requires the session cookie',
    tags,
    style: 'coded',
    auth: coreToken,
    schema: {
      body: Type.Object(
        { currentPassword: passwordField, newPassword: newPasswordField },
        { title: 'PasswordChange' },
      ),
      response: { 200: success },
    },
    errors: ['INVALID_PASSWORD', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, caller, request, reply }) => {
      const succeeded = await limitGuesses(guesses, { request, reply }, 'password', caller.user.id)
      await sessions.requireOwn(request, caller)
      await accounts.requirePassword(caller.user, body.currentPassword)
      await accounts.changePassword(caller.user, body.newPassword)
      await sessions.start(caller.user, request, reply, sessions.isRemembered(request))
      await succeeded()
      return done
    },
  })

/** Sends the link that confirms an address again. The response is the same for an address without an account. */
const sendVerification = ({ accounts, guesses, users }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/send-verification-email',
    summary: 'Request a link to confirm your e-mail address',
    tags,
    style: 'coded',
    auth: ownPages,
    schema: {
      body: Type.Object({ email: emailField }, { title: 'VerificationRequest' }),
      response: { 200: requested },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const email = normalizeEmail(body.email)
      if (email !== undefined) {
        await limitGuesses(guesses, { request, reply }, 'verification', email)
        const uniform = delay(UNIFORM_RESPONSE_MS)
        const user = await users.findByEmail(email)
        if (user !== undefined && !user.isEmailVerified) await accounts.sendConfirmation(user)
        await uniform
      }
      return { ...done, message: 'If the address has an unconfirmed account, a link was sent to it' }
    },
  })

/** Confirms an address with the token of such a link. */
const verifyEmail = ({ accounts }: PasswordEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/verify-email',
    summary: 'Confirm your e-mail address with the token of a link',
    tags,
    style: 'coded',
    auth: ownPages,
    schema: {
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 2_000 }) },
        { title: 'Verification' },
      ),
      response: { 200: success },
    },
    errors: ['VERIFICATION_REJECTED'],
    handler: async ({ body }) => {
      await accounts.confirmEmail(body.token)
      return done
    },
  })

/** The endpoints for sign-ins with passwords, and the confirmation of addresses. */
export const passwordEndpoints = (deps: PasswordEndpointDeps) => [
  signInEmail(deps),
  requestPasswordReset(deps),
  resetPassword(deps),
  changePassword(deps),
  sendVerification(deps),
  verifyEmail(deps),
]
